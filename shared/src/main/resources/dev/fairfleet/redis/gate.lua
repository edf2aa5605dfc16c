-- One step of a gate: PolitenessPolicy, line by line. Times are whole microseconds since the epoch;
-- doubles hold them exactly until 2255.
--
-- KEYS[1]  hash of the site: arrival, tail, coolUntil, cool
-- KEYS[2]  hash of the host: granted, tail; not for a cool-down
-- ARGV[1]  admit, look, reserve or coolDown
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
-- ARGV[3]  interval    ARGV[4]  tolerance    ARGV[5]  least delay    (microseconds)
-- reserve:   ARGV[6]  slots          ARGV[7]  within (microseconds)
-- coolDown:  ARGV[6]  microseconds asked for, or -1    ARGV[7]  jitter, 0 to 999
--
-- Returns for admit and look {0} for a grant, else {microseconds to wait, 1 for the delay, 2 for the hourly
-- limit or 3 for a cool-down}; for reserve how many microseconds from now each slot begins; for
-- coolDown {microseconds of rest}.

local HOUR = 3600 * 1000000
local FARTHEST_SLOT = HOUR / 4
local LONGEST_COOL = 24 * HOUR
local FIRST_COOL = 30 * 1000000
local LONGEST_GUESSED_COOL = HOUR
local KEPT = HOUR

local step = ARGV[1]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local interval = tonumber(ARGV[3])
local tolerance = tonumber(ARGV[4])
local delay = tonumber(ARGV[5])

-- Returns the values of some fields; a key of another type is forgotten.
local function read(key, ...)
  local values = redis.pcall('HMGET', key, ...)
  if values.err then
    redis.call('DEL', key)
    return {}
  end
  return values
end

-- What is no number, or no history could have left behind, becomes the latest that is possible.
local function possible(text, latest, instead)
  local value = tonumber(text or 0)
  if value and value >= 0 and value <= latest and value == math.floor(value) then
    return value
  end
  return instead or latest
end

-- Writes what changed, and how long it is kept: an hour longer than until matters.
local function write(key, stored, matters, fields)
  local changed = redis.call('PTTL', key) == -1
  for i = 1, #fields / 2 do
    local text = string.format('%.0f', fields[2 * i])
    changed = changed or text ~= (stored[i] or '0')
    fields[2 * i] = text
  end
  if changed then
    redis.call('HSET', key, unpack(fields))
    local millis = math.ceil((math.max(matters - now, 0) + KEPT) / 1000)
    redis.call('PEXPIRE', key, string.format('%.0f', millis))
  end
end

local site = read(KEYS[1], 'arrival', 'tail', 'coolUntil', 'cool')
local cool = possible(site[4], LONGEST_COOL, FIRST_COOL)
local coolUntil = possible(site[3], now + cool + math.floor(cool / 4))
local arrival = possible(site[1], math.max(now, coolUntil) + tolerance + interval)
local tail = possible(site[2], now + FARTHEST_SLOT + tolerance + interval)

local host = {}
if KEYS[2] then
  host = read(KEYS[2], 'granted', 'tail')
end
local granted = possible(host[1], now)
local hostTail = possible(host[2], now + FARTHEST_SLOT)

local function admit()
  local hostFree = granted == 0 and 0 or granted + delay
  local siteFree = arrival - tolerance
  local free = math.max(coolUntil, hostFree, siteFree)
  if now < free then
    return {free - now, now < coolUntil and 3 or hostFree > siteFree and 1 or 2}
  end
  arrival = math.max(arrival, now) + interval
  granted = now
  return {0}
end

local function reserve(slots, within)
  tail = math.max(tail, arrival)
  hostTail = math.max(hostTail, granted)
  local after = {}
  while #after < slots do
    local hostFree = hostTail == 0 and 0 or hostTail + delay
    local slot = math.max(now, coolUntil, tail - tolerance, hostFree)
    if slot > now + within then
      break
    end
    after[#after + 1] = slot - now
    tail = math.max(tail, slot) + interval
    hostTail = slot
  end
  return after
end

local function coolDown(asked, jitter)
  local length = FIRST_COOL
  if asked >= 0 then
    length = asked
  elseif now < coolUntil then
    return {coolUntil - now}
  elseif now - coolUntil < cool then
    length = math.min(2 * cool, LONGEST_GUESSED_COOL)
  end
  local ends = now + length + math.floor(length / 4000) * jitter
  if ends >= coolUntil then
    arrival = math.max(arrival, ends + tolerance)
    coolUntil = ends
    cool = math.max(length, FIRST_COOL)
  end
  return {coolUntil - now}
end

local answer
if step == 'admit' then
  answer = admit()
elseif step == 'look' then
  return admit()
elseif step == 'reserve' then
  answer = reserve(tonumber(ARGV[6]), tonumber(ARGV[7]))
else
  answer = coolDown(tonumber(ARGV[6]), tonumber(ARGV[7]))
end

write(KEYS[1], site, math.max(arrival, tail, coolUntil + cool),
  {'arrival', arrival, 'tail', tail, 'coolUntil', coolUntil, 'cool', cool})
if KEYS[2] then
  write(KEYS[2], host, math.max(granted, hostTail) + delay, {'granted', granted, 'tail', hostTail})
end
return answer
