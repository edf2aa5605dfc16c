-- Makes the caller the one who sweeps a fleet's windows, unless somebody began not long ago.
--
-- KEYS[1]  when the last sweep began, microseconds since the epoch
-- ARGV[1]  least time between two sweeps, microseconds
-- ARGV[2]  now, for a test that sets the clock; empty for this server's clock
--
-- Returns {1} if the caller is the one, else {0}.

local between = tonumber(ARGV[1])
-- Milliseconds.
local KEPT = 24 * 3600 * 1000

local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- What is no moment in the past, or of another type, counts as never.
local stored = redis.pcall('GET', KEYS[1])
local begun = type(stored) == 'string' and tonumber(stored)
if begun and begun <= now and now < begun + between then
  return {0}
end
redis.call('SET', KEYS[1], string.format('%.0f', now), 'PX', KEPT)
return {1}
