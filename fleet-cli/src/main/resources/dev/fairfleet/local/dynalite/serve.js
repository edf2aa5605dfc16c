'use strict'

// Serves dynalite on one loopback port, over a LevelDB folder, until it is told to stop.
//
// Usage: node serve.js <port, 0 for a free one> <LevelDB folder>
// Prints "listening <port>" once it accepts connections.
//
// This is not dynalite's own command line for three reasons: that one cannot report a free port; it lets a client that
// dies in the middle of a request end the whole server (dynalite throws every request error); and it closes idle
// connections after Node's five seconds, just as the AWS SDK is about to use one of its pool again.

const dynalite = require('dynalite')
const { Level } = require('level')

const [port, path] = process.argv.slice(2)

const CLIENT_WENT_AWAY = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

process.on('uncaughtException', error => {
  if (CLIENT_WENT_AWAY.has(error.code)) return
  console.error(error)
  process.exit(1)
})

async function serve () {
  // dynalite hides why a database cannot be opened; this says it.
  const database = new Level(path)
  await database.open()
  await database.close()

  const server = dynalite({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 })
  server.keepAliveTimeout = 0
  server.headersTimeout = 0
  server.requestTimeout = 0
  process.on('SIGTERM', () => {
    setTimeout(() => process.exit(0), 3000).unref()
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
  server.listen(Number(port), '127.0.0.1', () => console.log('listening ' + server.address().port))
}

serve()
