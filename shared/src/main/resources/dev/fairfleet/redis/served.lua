-- One step of the served counts, with forward decay: a page counts 2^((now - landmark) / half-life), so
-- that what was added before never has to be rewritten and ranks stay comparable. Times are whole
-- microseconds since the epoch.
--
-- KEYS[1]  sorted set, site -> score    KEYS[2]  sorted set, site -> when it was last served
-- KEYS[3]  the landmark
-- ARGV[1]  add or rank
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
-- ARGV[3]  half-life in microseconds
-- ARGV[4]  microseconds after which a site that was not served is forgotten
-- add:   ARGV[5]  milliseconds after which the keys are forgotten    ARGV[6…]  site, pages, site …
-- rank:  ARGV[5]  the site    ARGV[6]  share of its count that is clearly less
--        ARGV[7]  pages that do not count in that comparison
--
-- Returns for rank {active sites clearly served less, active sites}, or {0, 0} if the site is not
-- active; for add {}.

-- Half-lives after which the landmark moves; a double's exponent ends at 1023.
local FAR = 500

local halfLife = tonumber(ARGV[3])
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local function exact(number)
  return string.format('%.17g', number)
end

local landmark = tonumber(redis.call('GET', KEYS[3]) or '')
if not landmark or not (math.abs(now - landmark) / halfLife <= 2 * FAR) then
  redis.call('DEL', KEYS[1], KEYS[2])
  landmark = now
end

-- Forgets who was not served for long. Who was served after now, by a clock that stepped back since,
-- was served now.
local function forget()
  for _, site in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. exact(now), '+inf')) do
    redis.call('ZADD', KEYS[2], exact(now), site)
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. exact(now - ARGV[4]))
  if redis.call('ZCARD', KEYS[1]) ~= redis.call('ZCARD', KEYS[2]) then
    redis.call('ZINTERSTORE', KEYS[1], 2, KEYS[1], KEYS[2], 'WEIGHTS', 1, 0)
  end
end

local function add()
  local age = (now - landmark) / halfLife
  if age > FAR then
    redis.call('ZUNIONSTORE', KEYS[1], 1, KEYS[1], 'WEIGHTS', exact(2 ^ -age))
    landmark = now
    age = 0
  end
  for i = 6, #ARGV, 2 do
    redis.call('ZINCRBY', KEYS[1], exact(ARGV[i + 1] * 2 ^ age), ARGV[i])
    redis.call('ZADD', KEYS[2], exact(now), ARGV[i])
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
  redis.call('SET', KEYS[3], exact(landmark), 'PX', ARGV[5])
  return {}
end

local function rank()
  local score = redis.call('ZSCORE', KEYS[1], ARGV[5])
  if not score then
    return {0, 0}
  end
  local clearlyLess = score * ARGV[6] - ARGV[7] * 2 ^ ((now - landmark) / halfLife)
  return {
    redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. exact(clearlyLess)), redis.call('ZCARD', KEYS[1])
  }
end

forget()
if ARGV[1] == 'add' then
  return add()
end
return rank()
