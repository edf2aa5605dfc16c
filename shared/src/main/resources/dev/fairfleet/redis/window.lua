-- One step of a site's window; SiteWindow says what each does. Times are whole microseconds, since
-- the epoch where they are moments; 0 stands for never.
--
-- KEYS[1]  sorted set of the URL hashes inside, each by when it is overdue
-- KEYS[2]  hash of everything else: FIELDS, and walk, how far which crawl walked
-- ARGV[1]  the step
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
-- enter:           ARGV[3]  most inside    ARGV[4]  stay    ARGV[5…]  URL hashes
-- stay:            ARGV[3]  stay    ARGV[4…]  URL hashes
-- leave, shelved:  ARGV[3…]  URL hashes
-- filled:          ARGV[3]  size    ARGV[4]  1 if the shelf is bare
-- walkedTo:        ARGV[3]  the crawl, a blank, and the position
--
-- Returns texts: size, inside, 1 if bare, empty for, walk or nothing; then the hashes
-- let in or overdue, for beginFill 'begun' if the caller is the one, for
-- filled 'wanted' if somebody was turned away.

local SECOND = 1000000
local DAY = 86400 * SECOND
local LONGEST_STAY = 14 * DAY
local LONGEST_FILL = 30 * SECOND
local BARE_BELIEVED = 600 * SECOND
local ON_THE_WAY = 60 * SECOND
local SECOND_STAY = 120 * SECOND
local MOST_OVERDUE = 100
local LARGEST_INT = 2147483647
local HASH_LENGTH = 22
-- Milliseconds; who is inside is remembered for a while after being overdue.
local KEPT = 7 * DAY / 1000
local INSIDE_KEPT = LONGEST_STAY / 1000 + KEPT

local step = ARGV[1]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * SECOND + time[2]
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

-- Each with the most that it can be; what is more, or no number, counts as never set.
local FIELDS = {'size', 'shelvedAt', 'emptySince', 'bareUntil', 'fillingUntil', 'turnedAway'}
local MOST = {LARGEST_INT, now, now, now + BARE_BELIEVED, now + LONGEST_FILL, 1}

local inside = ask('ZCARD', KEYS[1]) or 0
local stored = ask('HMGET', KEYS[2], 'walk', unpack(FIELDS)) or {}
local walk = stored[1] or ''
local fill = {}
for i, name in ipairs(FIELDS) do
  local value = tonumber(stored[i + 1] or 0)
  local possible = value and value >= 0 and value <= MOST[i] and value == math.floor(value)
  fill[name] = possible and value or 0
end

local function set(name, value)
  fill[name] = value
  redis.call('HSET', KEYS[2], name, text(value))
end

local function letIn(hash, stay)
  inside = inside + redis.call('ZADD', KEYS[1], text(now + math.min(stay, LONGEST_STAY)), hash)
  set('emptySince', 0)
end

local function letOut(from)
  for i = from, #ARGV do
    inside = inside - redis.call('ZREM', KEYS[1], ARGV[i])
  end
end

local function shelved()
  set('shelvedAt', now)
  set('bareUntil', 0)
end

local told = {}
local steps = {}

function steps.enter()
  local most = tonumber(ARGV[3])
  for i = 5, #ARGV do
    if not redis.call('ZSCORE', KEYS[1], ARGV[i]) then
      if inside >= most then
        shelved()
        break
      end
      letIn(ARGV[i], tonumber(ARGV[4]))
      told[#told + 1] = ARGV[i]
    end
  end
end

function steps.stay()
  for i = 4, #ARGV do
    letIn(ARGV[i], tonumber(ARGV[3]))
  end
end

function steps.leave()
  letOut(3)
end

function steps.shelved()
  letOut(3)
  shelved()
end

function steps.beginFill()
  if now >= fill.fillingUntil then
    set('fillingUntil', now + LONGEST_FILL)
    set('turnedAway', 0)
    told[1] = 'begun'
  else
    set('turnedAway', 1)
  end
end

function steps.filled()
  local believed = ARGV[4] == '1' and now >= fill.shelvedAt + ON_THE_WAY
  set('size', tonumber(ARGV[3]))
  set('fillingUntil', 0)
  set('bareUntil', believed and now + BARE_BELIEVED or 0)
  if fill.turnedAway == 1 then
    set('turnedAway', 0)
    told[1] = 'wanted'
  end
end

function steps.inspect()
  -- Nobody is let in for so long, so such a time is spoilt: overdue.
  local spoilt = '(' .. text(now + LONGEST_STAY)
  for _, hash in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], spoilt, '+inf')) do
    redis.call('ZADD', KEYS[1], 0, hash)
  end
  local past = '(' .. text(now)
  local overdue = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', past, 'LIMIT', 0, MOST_OVERDUE)
  for _, hash in ipairs(overdue) do
    if #hash == HASH_LENGTH then
      redis.call('ZADD', KEYS[1], text(now + SECOND_STAY), hash)
      told[#told + 1] = hash
    else
      inside = inside - redis.call('ZREM', KEYS[1], hash)
    end
  end
  if inside > 0 then
    set('emptySince', 0)
  elseif fill.emptySince == 0 then
    set('emptySince', now)
  end
end

function steps.walkedTo()
  walk = ARGV[3]
  redis.call('HSET', KEYS[2], 'walk', walk)
end

steps[step]()
redis.call('PEXPIRE', KEYS[1], text(INSIDE_KEPT))
redis.call('PEXPIRE', KEYS[2], text(KEPT))

local emptyFor = fill.emptySince == 0 and 0 or now - fill.emptySince
return {
  text(fill.size), text(inside), now < fill.bareUntil and '1' or '0', text(emptyFor), walk,
  unpack(told)
}
