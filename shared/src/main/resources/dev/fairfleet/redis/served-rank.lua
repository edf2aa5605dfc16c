-- Returns {active sites served less than one of them, active sites}; {0, 0} if that one is not
-- active.
--
-- KEYS[1]  sorted set, site -> score    ARGV[1]  the site

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score then
  return {0, 0}
end
return {redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score), redis.call('ZCARD', KEYS[1])}
