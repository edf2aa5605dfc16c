-- One step with what a fleet knows of one origin's robots.txt; RobotsStore says what each does. Times
-- are whole microseconds, since the epoch where they are moments; 0 stands for never.
--
-- KEYS[1]  hash: kind, body, etag, lastModified and hadAt of the file; failures, failure, askAgainAt;
--          turn, turnUntil
-- ARGV[1]  the step
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
-- begin:   ARGV[3]  lease
-- had:     ARGV[3]  turn    ARGV[4]  ask again in    ARGV[5…8]  kind, body, etag, lastModified
-- failed:  ARGV[3]  turn    ARGV[4]  ask again in    ARGV[5]  why
-- gaveUp:  ARGV[3]  turn
-- forget:  nothing more
--
-- Returns texts: for find kind, body, etag, lastModified, age, failures, failure, ask again in; for
-- begin the turn, or nothing.

local SECOND = 1000000
local HOUR = 3600 * SECOND
local LONGEST_WAIT = 24 * HOUR
local LONGEST_LEASE = HOUR
local MOST_FAILURES = 1000000
-- Milliseconds: twice as long as any file is believed.
local KEPT = 48 * HOUR / 1000

local step = ARGV[1]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * SECOND + time[2]
end

-- What is of another type is forgotten.
local kind = redis.call('TYPE', KEYS[1]).ok
if step == 'forget' or (kind ~= 'hash' and kind ~= 'none') then
  redis.call('DEL', KEYS[1])
  kind = 'none'
end

-- What is no number, or impossible, counts as never set.
local function number(name, most)
  local value = tonumber(redis.call('HGET', KEYS[1], name) or 0)
  local possible = value and value >= 0 and value <= most and value == math.floor(value)
  return possible and value or 0
end

local function text(value)
  return string.format('%.0f', value)
end

local function set(...)
  redis.call('HSET', KEYS[1], ...)
  redis.call('PEXPIRE', KEYS[1], KEPT)
end

local askAgainAt = number('askAgainAt', now + LONGEST_WAIT)
local hadAt = number('hadAt', now)
if hadAt == 0 and redis.call('HEXISTS', KEYS[1], 'kind') == 1 then
  askAgainAt = 0
end

if step == 'find' then
  if kind == 'hash' and redis.call('PTTL', KEYS[1]) < 0 then
    redis.call('PEXPIRE', KEYS[1], KEPT)
  end
  local file = redis.call('HMGET', KEYS[1], 'kind', 'body', 'etag', 'lastModified', 'failure')
  for i = 1, 5 do
    file[i] = file[i] or ''
  end
  if hadAt == 0 then
    file = {'', '', '', '', file[5]}
  end
  return {
    file[1], file[2], file[3], file[4], text(now - hadAt),
    text(number('failures', MOST_FAILURES)), file[5], text(math.max(0, askAgainAt - now))
  }
end

if step == 'begin' then
  if number('turnUntil', now + LONGEST_LEASE) > now or askAgainAt > now then
    return {}
  end
  local turn = number('turn', 2 ^ 52) + 1
  set('turn', text(turn), 'turnUntil', text(now + tonumber(ARGV[3])))
  return {text(turn)}
end

if step == 'forget' or number('turn', 2 ^ 52) ~= tonumber(ARGV[3]) then
  return {}
end
if step == 'gaveUp' then
  set('turnUntil', '0')
  return {}
end
local again = text(now + tonumber(ARGV[4]))
if step == 'had' then
  set('turnUntil', '0', 'askAgainAt', again, 'failures', '0', 'failure', '', 'hadAt', text(now),
    'kind', ARGV[5], 'body', ARGV[6], 'etag', ARGV[7], 'lastModified', ARGV[8])
else
  set('turnUntil', '0', 'askAgainAt', again, 'failure', ARGV[5],
    'failures', text(number('failures', MOST_FAILURES - 1) + 1))
end
return {}
