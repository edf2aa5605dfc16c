-- Takes up pages while there are fewer than the limit; one that was taken up before stays so.
--
-- KEYS[1]  set of the URL hashes taken up
-- ARGV[1]  most pages    ARGV[2]  milliseconds after which the set is forgotten
-- ARGV[3…] URL hashes
--
-- Returns one character for each hash: 1 if it is taken up, 0 if not.

local most = tonumber(ARGV[1])
local taken = redis.call('SCARD', KEYS[1])
local answer = {}
for i = 3, #ARGV do
  if redis.call('SISMEMBER', KEYS[1], ARGV[i]) == 1 then
    answer[#answer + 1] = '1'
  elseif taken < most then
    redis.call('SADD', KEYS[1], ARGV[i])
    taken = taken + 1
    answer[#answer + 1] = '1'
  else
    answer[#answer + 1] = '0'
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return table.concat(answer)
