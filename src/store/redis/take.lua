-- The authority of limits on Redis: what limits/serve.ts does, in one call. A test holds the two to the same answers.
-- The numbers in capitals come from limits/authority.ts; they and the name of the library stand above this.
--
-- KEYS: the epoch, the holders that were seen, and the buckets. ARGV[1] is JSON:
--   {holder, elapsed, stamp, doubt, day_end, month_end, epoch, quiet, ids, spans,
--    seeds: [[bucket, used, [[at, amount]]]], may_begin: [one for each seed], returns: [[bucket, until, amount, holder]],
--    asks: [[count, [[bucket, need, want, limit]]]]}
-- with buckets by their place among the ids, from 1. It answers {epoch, quiet} when nothing can be decided, or also
--   replies: [{granted: 1, late, lease, grants: [[until, amount, used, reset]]} |
--     {granted: 0, refused: [index, wait, [[used, reset]]]} | {unknown: [bucket]}]
-- one for each ask.

local run_id

-- What was granted before Redis was started, or emptied, may still be used: for so long nothing is decided. An epoch begins
-- then, and a bucket of an earlier one, from a file or a replica that lags behind, is as good as unknown.
local function current_epoch(key, quiet)
  if not run_id then run_id = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') end
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local known = redis.call('HMGET', key, 'run', 'id', 'ends')
  if known[1] == run_id then
    local left = tonumber(known[3]) - now
    if left <= 0 then return known[2], 0 end
    if left <= quiet then return known[2], left end
    redis.call('HSET', key, 'ends', string.format('%.0f', now + quiet))
    return known[2], quiet
  end
  local id = run_id .. '-' .. time[1] .. '-' .. time[2]
  redis.call('HSET', key, 'run', run_id, 'id', id, 'ends', string.format('%.0f', now + quiet))
  return id, quiet
end

local function is_of_day_or_month(bucket)
  return bucket.window == 'day' or bucket.window == 'month'
end

local function drop_first(list, count)
  local rest = {}
  for i = count + 1, #list do rest[#rest + 1] = list[i] end
  return rest
end

local function advance(bucket, call, is_alive)
  local told = bucket.window == 'minute' and call.elapsed or call.stamp
  local ahead = bucket.at > told and bucket.at <= told + MINUTE_MS
  local now = ahead and bucket.at or told
  if bucket.window == 'minute' then
    if bucket.at > now then
      bucket.untils, bucket.amounts, bucket.used = {}, {}, 0
    else
      local count = 0
      while count < #bucket.untils and bucket.untils[count + 1] <= now do
        count = count + 1
        bucket.used = bucket.used - bucket.amounts[count]
      end
      if count > 0 then
        bucket.untils, bucket.amounts = drop_first(bucket.untils, count), drop_first(bucket.amounts, count)
      end
    end
  elseif bucket.window == 'running' then
    bucket.used = 0
    local living = {}
    for holder, amount in pairs(bucket.holders) do
      if is_alive(holder) then
        living[holder] = amount
        bucket.used = bucket.used + amount
      end
    end
    bucket.holders = living
  elseif bucket.window ~= 'ever' then
    local ends = ahead and bucket.ends or (bucket.window == 'day' and call.day_end or call.month_end)
    if bucket.ends < ends then bucket.used = 0 end
    bucket.ends = ends
  end
  bucket.at = now
  return bucket
end

local function begin(window, call, is_alive)
  local bucket = { window = window, at = 0, ends = 0, used = 0, untils = {}, amounts = {}, holders = {} }
  return advance(bucket, call, is_alive)
end

local function add(bucket, amount, until_at)
  bucket.used = bucket.used + amount
  if bucket.window ~= 'minute' then return bucket.ends end
  local count = #bucket.untils
  local last = bucket.untils[count]
  if last and until_at <= last then
    bucket.amounts[count] = bucket.amounts[count] + amount
    return last
  end
  if count >= EXACT_ENTRIES then until_at = math.ceil(until_at / ROUNDED_MS) * ROUNDED_MS end
  bucket.untils[count + 1] = until_at
  bucket.amounts[count + 1] = amount
  return until_at
end

local function add_running(bucket, holder, amount)
  local had = bucket.holders[holder] or 0
  local has = math.max(0, had + amount)
  bucket.used = bucket.used + has - had
  bucket.holders[holder] = has > 0 and has or nil
end

local function give_back(bucket, amount, until_at)
  if bucket.window == 'minute' then
    if until_at <= bucket.at then return end
    for i = 1, #bucket.untils do
      if bucket.untils[i] == until_at then
        local given = math.min(amount, bucket.amounts[i])
        bucket.amounts[i] = bucket.amounts[i] - given
        bucket.used = bucket.used - given
        return
      end
    end
    if amount < 0 then add(bucket, -amount, until_at) end
  elseif bucket.window == 'ever' or bucket.ends == until_at then
    bucket.used = math.max(0, bucket.used - amount)
  end
end

local function raise(bucket, used, entries, doubt)
  if bucket.window ~= 'minute' then
    bucket.used = math.max(bucket.used, used)
    return
  end
  local counting, total = {}, 0
  for _, entry in ipairs(entries) do
    if entry[1] + MINUTE_MS + doubt > bucket.at then
      counting[#counting + 1] = entry
      total = total + entry[2]
    end
  end
  local more = math.min(total, used) - bucket.used
  if #bucket.untils == 0 then
    for _, entry in ipairs(counting) do add(bucket, entry[2], entry[1] + MINUTE_MS + doubt) end
  elseif more > 0 then
    local last = counting[#counting]
    add(bucket, more, (last and last[1] or bucket.at) + MINUTE_MS + doubt)
  end
end

-- false where nobody knows.
local function freed_in(bucket, amount)
  if bucket.window == 'ever' then return false end
  if bucket.window == 'running' then return RUNNING_WAIT_MS end
  if bucket.window ~= 'minute' then return bucket.ends - bucket.at end
  for i = 1, #bucket.untils do
    amount = amount - bucket.amounts[i]
    if amount <= 0 then return bucket.untils[i] - bucket.at end
  end
  return false
end

local function standing_of(bucket)
  if bucket.window == 'minute' then
    local last = bucket.untils[#bucket.untils] or bucket.at
    return bucket.used, math.max(0, last - bucket.at)
  end
  return bucket.used, is_of_day_or_month(bucket) and bucket.ends - bucket.at or cjson.null
end

-- A refusal, for the bucket that takes longest; nil: there is enough of each.
local function refused(takes, buckets)
  local longest, wait
  for i, take in ipairs(takes) do
    local bucket, need, limit = buckets[take[1]], take[2], take[4]
    local over = (limit == cjson.null or need == 0) and 0 or bucket.used + need - limit
    if over > 0 then
      local own = need <= limit and freed_in(bucket, over)
      local is_longer = wait ~= false and (not own or own > (wait or 0))
      if not longest or is_longer then longest, wait = i, own end
    end
  end
  if not longest then return nil end
  local standings = {}
  for i, take in ipairs(takes) do standings[i] = { standing_of(buckets[take[1]]) } end
  return { granted = 0, refused = { longest - 1, wait or cjson.null, standings } }
end

local function extra(take, bucket)
  local need, want, limit = take[2], take[3], take[4]
  if bucket.window == 'running' or want <= need then return 0 end
  if limit == cjson.null then return want - need end
  local share = math.floor((limit - bucket.used - need) / SHARE_OF_REST)
  if share < MIN_LEASE * math.max(1, need) then return 0 end
  return math.min(want - need, share)
end

local function decide(takes, buckets, call)
  local refusal = refused(takes, buckets)
  if refusal then return refusal end
  local more, usable, late = {}, LEASE_MS, 0
  for i, take in ipairs(takes) do
    more[i] = extra(take, buckets[take[1]])
    if more[i] <= 0 then usable = 0 end
  end
  for _, take in ipairs(takes) do
    local bucket = buckets[take[1]]
    if is_of_day_or_month(bucket) then usable = math.min(usable, bucket.ends - bucket.at) end
  end
  local grants = {}
  for i, take in ipairs(takes) do
    local bucket = buckets[take[1]]
    local window = bucket.window
    local amount = take[2] + (usable > 0 and more[i] or 0)
    if window == 'minute' then late = math.max(late, bucket.at - call.elapsed)
    elseif is_of_day_or_month(bucket) then late = math.max(late, bucket.at - call.stamp) end
    local until_at = 0
    if window == 'running' then add_running(bucket, call.holder, amount)
    elseif amount == 0 then until_at = window == 'minute' and 0 or bucket.ends
    else
      local leased = usable > 0 and usable + MARGIN_MS or 0
      until_at = add(bucket, amount, bucket.at + MINUTE_MS + call.doubt + leased)
    end
    grants[i] = { until_at, amount, standing_of(bucket) }
  end
  return { granted = 1, late = late, lease = usable, grants = grants }
end

local function take(keys, args)
  local call = cjson.decode(args[1])
  local epoch, quiet = current_epoch(keys[1], call.quiet)
  local seen_key = keys[2]
  redis.call('HSET', seen_key, call.holder, string.format('%.0f', call.elapsed))
  if #call.asks == 0 then
    -- A call by which a holder only shows itself; who has not done so for long is forgotten.
    local all = redis.call('HGETALL', seen_key)
    for i = 1, #all, 2 do
      if call.elapsed - tonumber(all[i + 1]) > FORGET_HOLDER_MS then redis.call('HDEL', seen_key, all[i]) end
    end
  end
  local lives = {}
  local function is_alive(holder)
    if lives[holder] == nil then
      local seen = tonumber(redis.call('HGET', seen_key, holder) or nil)
      lives[holder] = seen ~= nil and call.elapsed - seen < ALIVE_MS
    end
    return lives[holder]
  end

  local buckets = {}
  for place = 1, #call.ids do
    local packed = redis.call('GET', keys[2 + place])
    local bucket = packed and cmsgpack.unpack(packed)
    if bucket and bucket.epoch == epoch then buckets[place] = advance(bucket, call, is_alive) end
  end

  -- Before anything is decided each holder says what of its own still runs, also of an epoch that it has just heard of.
  local decides = quiet == 0 and call.epoch == epoch
  for i, seed in ipairs(call.seeds) do
    local place, used, entries = unpack(seed)
    local window, may_begin = call.spans[place], call.may_begin[i]
    if window == 'running' then
      local bucket = buckets[place] or begin(window, call, is_alive)
      add_running(bucket, call.holder, used - (bucket.holders[call.holder] or 0))
      buckets[place] = bucket
    elseif decides then
      if not buckets[place] and may_begin then buckets[place] = begin(window, call, is_alive) end
      if buckets[place] then raise(buckets[place], used, entries, call.doubt) end
    end
  end

  local replies = {}
  if decides then
    for _, back in ipairs(call.returns) do
      local bucket = buckets[back[1]]
      if bucket then
        if bucket.window == 'running' then add_running(bucket, back[4], -back[3])
        else give_back(bucket, back[3], back[2]) end
      end
    end
    for _, run in ipairs(call.asks) do
      local takes = run[2]
      local unknown = {}
      for _, one in ipairs(takes) do
        local place, window = one[1], call.spans[one[1]]
        if not buckets[place] then
          if window == 'running' then buckets[place] = begin(window, call, is_alive)
          else unknown[#unknown + 1] = place end
        end
      end
      for _ = 1, run[1] do
        replies[#replies + 1] = #unknown > 0 and { unknown = unknown } or decide(takes, buckets, call)
      end
    end
  end

  for place in ipairs(call.ids) do
    local bucket = buckets[place]
    if bucket then
      bucket.epoch = epoch
      redis.call('SET', keys[2 + place], cmsgpack.pack(bucket), 'PX', KEEP_MS[bucket.window])
    end
  end
  if not decides then return cjson.encode({ epoch = epoch, quiet = quiet }) end
  return '{"epoch":"' .. epoch .. '","quiet":0,"replies":' .. (#replies > 0 and cjson.encode(replies) or '[]') .. '}'
end

redis.register_function(FUNCTION_NAME, take)
