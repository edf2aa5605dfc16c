-- Decides whether a host may be asked now, and counts the request if so: PolitenessPolicy.admit,
-- step by step. Times are whole microseconds since the epoch; doubles hold them exactly until 2255.
--
-- KEYS[1]  the site's theoretical arrival time
-- KEYS[2]  when the host was last asked
-- ARGV[1]  interval    ARGV[2]  tolerance    ARGV[3]  least delay    (microseconds)
-- ARGV[4]  milliseconds after which a key that nobody asks for is forgotten
-- ARGV[5]  now, for a test that sets the clock; empty for this server's clock
--
-- Returns {0, 0} for a grant, else {microseconds to wait, 1 for the delay or 2 for the hourly limit}.

local interval = tonumber(ARGV[1])
local tolerance = tonumber(ARGV[2])
local delay = tonumber(ARGV[3])
local ttl = ARGV[4]
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local stored = redis.call('MGET', KEYS[1], KEYS[2])

-- What is no number, or no history could have left behind, becomes the latest that is possible.
local function possible(text, latest)
  if not text then
    return 0, false
  end
  local value = tonumber(text)
  if value and value >= 0 and value <= latest and value == math.floor(value) then
    return value, false
  end
  return latest, true
end

local function remember(key, value)
  redis.call('SET', key, string.format('%.0f', value), 'PX', ttl)
end

local arrival, arrivalSpoilt = possible(stored[1], now + tolerance + interval)
local granted, grantedSpoilt = possible(stored[2], now)

local hostFree = 0
if granted > 0 then
  hostFree = granted + delay
end
local siteFree = arrival - tolerance
local free = math.max(hostFree, siteFree)

if now >= free then
  remember(KEYS[1], math.max(arrival, now) + interval)
  remember(KEYS[2], now)
  return {0, 0}
end

if arrivalSpoilt then
  remember(KEYS[1], arrival)
elseif redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ttl)
end
if grantedSpoilt then
  remember(KEYS[2], granted)
elseif redis.call('PTTL', KEYS[2]) == -1 then
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return {free - now, hostFree > siteFree and 1 or 2}
