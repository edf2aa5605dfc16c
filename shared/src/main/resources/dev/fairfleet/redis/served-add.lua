-- Adds pages served, with forward decay: a page counts 2^((now - landmark) / half-life), so that
-- what was added before never has to be rewritten and ranks stay comparable.
--
-- KEYS[1]  sorted set, site -> score    KEYS[2]  the landmark, microseconds since the epoch
-- ARGV[1]  half-life in microseconds
-- ARGV[2]  the weight, in pages served now, below which a site is no longer active
-- ARGV[3]  milliseconds after which both keys are forgotten
-- ARGV[4]  now, for a test that sets the clock; empty for this server's clock
-- ARGV[5…] site, pages, site, pages …

-- Half-lives after which the landmark moves; a double's exponent ends at 1023.
local FAR = 500

local halfLife = tonumber(ARGV[1])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local landmark = tonumber(redis.call('GET', KEYS[2]) or '')
if not landmark or not (math.abs(now - landmark) / halfLife <= 2 * FAR) then
  redis.call('DEL', KEYS[1])
  landmark = now
end
local age = (now - landmark) / halfLife
if age > FAR then
  redis.call('ZUNIONSTORE', KEYS[1], 1, KEYS[1], 'WEIGHTS', string.format('%.17g', 2 ^ -age))
  landmark = now
  age = 0
end
local factor = 2 ^ age

for i = 5, #ARGV, 2 do
  redis.call('ZINCRBY', KEYS[1], string.format('%.17g', ARGV[i + 1] * factor), ARGV[i])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.17g', ARGV[2] * factor))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], string.format('%.0f', landmark), 'PX', ARGV[3])
return {#ARGV}
