-- One step of a site's health; SiteHealth says what each does. Times are whole microseconds since the
-- epoch; 0 stands for never.
--
-- KEYS[1]  hash: FIELDS    KEYS[2]  set of the URL hashes of pages that failed in the row
-- ARGV[1]  failed or answered
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
-- ARGV[3]  since when the caller knows the site to be active
-- failed:  ARGV[4]  URL hash of the page, or empty if it was none
--
-- Returns {failures in the row}.

local REMEMBERED = 86400 * 1000000
local LARGEST_INT = 2147483647

local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local function text(number)
  return string.format('%.0f', number)
end

-- Returns the answer of a command, or nothing and forgets the key if it is of another type.
local function ask(command, key, ...)
  local answer = redis.pcall(command, key, ...)
  if type(answer) == 'table' and answer.err then
    redis.call('DEL', key)
    return nil
  end
  return answer
end

-- Each with the most that it can be; what is more, or no number, counts as never set. A site may have
-- been resumed by a clock that is ahead of this one, but not by much.
local FIELDS = {'failures', 'failedAt', 'answeredAt', 'since'}
local MOST = {LARGEST_INT, now, now, now + REMEMBERED}

local stored = ask('HMGET', KEYS[1], unpack(FIELDS)) or {}
local row = {}
for i, name in ipairs(FIELDS) do
  local value = tonumber(stored[i] or 0)
  local possible = value and value >= 0 and value <= MOST[i] and value == math.floor(value)
  row[name] = possible and value or 0
end

local function isRemembered(at)
  return now - at < REMEMBERED
end

local since = tonumber(ARGV[3])
local isOld = since < row.since
if since > row.since then
  row = {failures = 0, failedAt = 0, answeredAt = 0, since = since}
end
ask('SCARD', KEYS[2])
if row.failures == 0 or not isRemembered(row.failedAt) then
  row.failures = 0
  redis.call('DEL', KEYS[2])
end

if ARGV[1] == 'failed' and not isOld then
  local known = ARGV[4] ~= '' and redis.call('SADD', KEYS[2], ARGV[4]) == 0
  if not (known and isRemembered(row.answeredAt)) then
    row.failures = row.failures + 1
    row.failedAt = now
  end
elseif not isOld then
  row.failures = 0
  row.answeredAt = now
  redis.call('DEL', KEYS[2])
end

redis.call(
  'HSET', KEYS[1], 'failures', text(row.failures), 'failedAt', text(row.failedAt), 'answeredAt',
  text(row.answeredAt), 'since', text(row.since)
)
redis.call('PEXPIRE', KEYS[1], text(REMEMBERED / 1000))
redis.call('PEXPIRE', KEYS[2], text(REMEMBERED / 1000))
return {row.failures}
