-- Takes amounts out of token buckets, all or none of them. The clock is the server's, so replicas need not agree.
--
-- KEYS are the buckets; a key that does not exist is a full one. The value is what was available, and when, in
-- microseconds. ARGV[1] is 1 if the amounts are taken even if they are not available. Then, for each bucket, its
-- maximum, what is restored each second, and the amount, which may be negative.
--
-- The result is the number of the first bucket that has too little, or 0, and what each bucket has afterwards.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local force, short, result, values = ARGV[1] == '1', 0, {}, {}

for i, key in ipairs(KEYS) do
  local maximum, restore, amount = tonumber(ARGV[3*i - 1]), tonumber(ARGV[3*i]), tonumber(ARGV[3*i + 1])
  local available, at = string.match(redis.call('GET', key) or '', '^(%S+) (%S+)$')
  available, at = tonumber(available), tonumber(at)
  if not (available and at and math.abs(available) < math.huge and math.abs(at) < math.huge) then -- or NaN
    available, at = maximum, now
  end
  values[i] = math.min(available + restore * math.max(now - at, 0) / 1000000, maximum)
  if short == 0 and not force and amount > 0 and amount > values[i] then
    short = i
  end
end

result[1] = tostring(short)
for i, key in ipairs(KEYS) do
  local maximum, restore, amount = tonumber(ARGV[3*i - 1]), tonumber(ARGV[3*i]), tonumber(ARGV[3*i + 1])
  if short == 0 then
    values[i] = math.min(values[i] - amount, maximum)
    -- It ends when the bucket is full again. 30 days is for buckets that hardly ever are.
    local milliseconds = math.min(math.ceil((maximum - values[i]) / restore * 1000), 2592000000)
    if milliseconds > 0 then
      redis.call('SET', key, string.format('%.17g %.0f', values[i], now), 'PX', string.format('%.0f', milliseconds))
    else
      redis.call('DEL', key)
    end
  end
  result[i + 1] = string.format('%.17g', values[i])
end
return result
