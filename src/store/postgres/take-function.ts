// Over 300 lines: one function of the database.
import {
  exactEntries,
  leaseMs,
  marginMs,
  minLease,
  minuteMs,
  roundedMs,
  runningWaitMs,
  shareOfRest,
} from '../../limits/authority.ts';

/**
 * `take_limits(call)`: the authority of limits as a function, so that a call is one round trip and rows are locked for no
 * longer than it takes. It does what `limits/serve.ts` does; a test holds the two to the same answers.
 *
 * All rows of a call are locked in the order of their ids, so that two calls never wait for each other. Those that a call
 * begins are inserted before it locks any.
 *
 * `late` and `in_time`: the call is refused when the time line has changed, or the server's clock is not where the caller
 * takes it to be but for the time that it takes to get here: one of the two clocks has stood still or stepped since.
 *
 * Argument: `{holder, elapsed, stamp, doubt, day_end, month_end, alive, believed, late_ms, line, ids, spans, begun,
 * seeds: [[bucket, used, [[at, amount]]]], returns: [[bucket, until, amount, holder]],
 * asks: [[count, [[bucket, need, want, limit]]]]}`, buckets by their place among the ids, from 1; the ids are in order.
 * Result: `{in_time, late, replies: [{unknown: [bucket]} | {granted, late, lease, grants: [[until, amount, used,
 * reset]], refused: null | [index, wait, [[used, reset]]]}]}`, one for each ask.
 */
export const takeFunction = `
create function take_limits(call jsonb) returns jsonb language plpgsql as $function$
declare
  me text := call ->> 'holder';
  elapsed bigint := (call ->> 'elapsed')::bigint;
  stamp bigint := (call ->> 'stamp')::bigint;
  doubt bigint := (call ->> 'doubt')::bigint;
  alive bigint := (call ->> 'alive')::bigint;
  ids text[] := array(select jsonb_array_elements_text(call -> 'ids'));
  late bigint := extract(epoch from clock_timestamp())::float8 * 1000 - (call ->> 'believed')::bigint;
  buckets limit_buckets[] := array_fill(null::limit_buckets, array[cardinality(ids)]);
  times bigint[] := array_fill(0::bigint, array[cardinality(ids)]);
  bucket limit_buckets;
  replies jsonb[] := '{}';
  item jsonb;
  take jsonb;
  told bigint;
  now_at bigint;
  ends_at bigint;
  is_ahead boolean;
  place int;
  amount bigint;
  until_at bigint;
  last_at bigint;
  total bigint;
  entries bigint[];
  weights bigint[];
  unknown jsonb;
  need bigint;
  cap bigint;
  wanted bigint;
  wait bigint;
  longest int;
  longest_wait bigint;
  fits bigint;
  granted bigint;
  usable bigint;
  extra bigint[];
  share bigint;
  lateness bigint;
  grants jsonb[];
  standings jsonb[];
  refusal jsonb;
begin
  if not coalesce(late between -1000 and (call ->> 'late_ms')::int, true)
    or not coalesce((select value from settings where name = 'time_line') = call ->> 'line', true) then
    return jsonb_build_object('in_time', false, 'late', late);
  end if;

  if jsonb_array_length(call -> 'begun') > 0 then
    insert into limit_buckets (id, span)
    select ids[i::int], call -> 'spans' ->> (i::int - 1) from jsonb_array_elements_text(call -> 'begun') as i order by i::int
    on conflict do nothing;
  end if;
  for bucket in select * from limit_buckets where id = any (ids) order by id for update loop
    place := array_position(ids, bucket.id);
    told := case bucket.span when 'minute' then elapsed else stamp end;
    is_ahead := bucket.at > told and bucket.at <= told + ${minuteMs};
    now_at := case when is_ahead then bucket.at else told end;
    if bucket.span = 'minute' then
      if bucket.at > now_at then
        bucket.untils := '{}';
        bucket.amounts := '{}';
        bucket.used := 0;
      else
        longest := 0;
        while longest < cardinality(bucket.untils) and bucket.untils[longest + 1] <= now_at loop
          longest := longest + 1;
          bucket.used := bucket.used - bucket.amounts[longest];
        end loop;
        if longest > 0 then
          bucket.untils := bucket.untils[longest + 1:];
          bucket.amounts := bucket.amounts[longest + 1:];
        end if;
      end if;
    elsif bucket.span = 'running' then
      select coalesce(jsonb_object_agg(key, value::bigint), '{}'), coalesce(sum(value::bigint), 0)
      into bucket.holders, bucket.used from jsonb_each_text(bucket.holders)
      where key = me or exists (select 1 from instances where instances.id = key and expires_at > alive);
    elsif bucket.span <> 'ever' then
      ends_at := case when is_ahead then bucket.ends
        when bucket.span = 'day' then (call ->> 'day_end')::bigint else (call ->> 'month_end')::bigint end;
      if bucket.ends < ends_at then bucket.used := 0; end if;
      bucket.ends := ends_at;
    end if;
    bucket.at := now_at;
    buckets[place] := bucket;
    times[place] := now_at;
  end loop;

  for item in select * from jsonb_array_elements(call -> 'seeds') loop
    place := (item ->> 0)::int;
    bucket := buckets[place];
    if bucket.span = 'running' then
      amount := greatest((item ->> 1)::bigint, 0);
      bucket.used := bucket.used + amount - coalesce((bucket.holders ->> me)::bigint, 0);
      bucket.holders := case when amount > 0 then bucket.holders || jsonb_build_object(me, amount) else bucket.holders - me end;
    elsif bucket.span <> 'minute' then
      bucket.used := greatest(bucket.used, (item ->> 1)::bigint);
    else
      select coalesce(array_agg((e ->> 0)::bigint + ${minuteMs} + doubt order by n), '{}'),
        coalesce(array_agg((e ->> 1)::bigint order by n), '{}'), coalesce(sum((e ->> 1)::bigint), 0)
      into entries, weights, total from jsonb_array_elements(item -> 2) with ordinality as s(e, n)
      where (e ->> 0)::bigint + ${minuteMs} + doubt > times[place];
      if cardinality(bucket.untils) > 0 then
        total := least(total, (item ->> 1)::bigint) - bucket.used;
        entries := case when total > 0 then entries[cardinality(entries):] else '{}' end;
        weights := array[total];
      end if;
      for i in 1 .. cardinality(entries) loop
        until_at := entries[i];
        last_at := bucket.untils[cardinality(bucket.untils)];
        bucket.used := bucket.used + weights[i];
        if until_at <= last_at then
          bucket.amounts[cardinality(bucket.amounts)] := bucket.amounts[cardinality(bucket.amounts)] + weights[i];
        else
          if cardinality(bucket.untils) >= ${exactEntries} then until_at := (until_at + ${roundedMs - 1}) / ${roundedMs} * ${roundedMs}; end if;
          bucket.untils := bucket.untils || until_at;
          bucket.amounts := bucket.amounts || weights[i];
        end if;
      end loop;
    end if;
    buckets[place] := bucket;
  end loop;

  for item in select * from jsonb_array_elements(call -> 'returns') loop
    place := (item ->> 0)::int;
    bucket := buckets[place];
    continue when bucket.id is null;
    until_at := (item ->> 1)::bigint;
    amount := (item ->> 2)::bigint;
    if bucket.span = 'running' then
      total := coalesce((bucket.holders ->> (item ->> 3))::bigint, 0);
      amount := greatest(0, total - amount);
      bucket.used := bucket.used + amount - total;
      bucket.holders := case when amount > 0 then bucket.holders || jsonb_build_object(item ->> 3, amount)
        else bucket.holders - (item ->> 3) end;
    elsif bucket.span = 'minute' then
      if until_at > times[place] then
        longest := array_position(bucket.untils, until_at);
        if longest is not null then
          amount := least(amount, bucket.amounts[longest]);
          bucket.amounts[longest] := bucket.amounts[longest] - amount;
          bucket.used := bucket.used - amount;
        elsif amount < 0 then
          last_at := bucket.untils[cardinality(bucket.untils)];
          bucket.used := bucket.used - amount;
          if until_at <= last_at then
            bucket.amounts[cardinality(bucket.amounts)] := bucket.amounts[cardinality(bucket.amounts)] - amount;
          else
            if cardinality(bucket.untils) >= ${exactEntries} then until_at := (until_at + ${roundedMs - 1}) / ${roundedMs} * ${roundedMs}; end if;
            bucket.untils := bucket.untils || until_at;
            bucket.amounts := bucket.amounts || -amount;
          end if;
        end if;
      end if;
    elsif bucket.span = 'ever' or bucket.ends = until_at then
      bucket.used := greatest(0, bucket.used - amount);
    end if;
    buckets[place] := bucket;
  end loop;

  for item in select * from jsonb_array_elements(call -> 'asks') loop
    select jsonb_agg(t -> 0) into unknown from jsonb_array_elements(item -> 1) as t where buckets[(t ->> 0)::int].id is null;
    if unknown is not null then
      replies := replies || jsonb_build_object('unknown', unknown);
      continue;
    end if;
    -- How many of the equal asks there is room for.
    fits := (item ->> 0)::bigint;
    longest := -1;
    longest_wait := 0;
    extra := '{}';
    for take in select * from jsonb_array_elements(item -> 1) loop
      bucket := buckets[(take ->> 0)::int];
      need := (take ->> 1)::bigint;
      wanted := (take ->> 2)::bigint;
      cap := (take ->> 3)::bigint;
      if cap is not null and need > 0 then fits := least(fits, greatest(0, (cap - bucket.used) / need)); end if;
      if bucket.span = 'running' or wanted <= need then extra := extra || 0::bigint;
      elsif cap is null then extra := extra || (wanted - need);
      else
        share := greatest(0, cap - bucket.used - need) / ${shareOfRest};
        extra := extra || case when share < ${minLease} * greatest(1, need) then 0::bigint else least(wanted - need, share) end;
      end if;
    end loop;
    granted := fits;
    lateness := 0;
    usable := 0;
    grants := '{}';
    if granted > 0 then
      if 0 < all (extra) then usable := ${leaseMs}; end if;
      for take in select * from jsonb_array_elements(item -> 1) loop
        place := (take ->> 0)::int;
        bucket := buckets[place];
        if bucket.span in ('day', 'month') then usable := least(usable, bucket.ends - times[place]); end if;
        if bucket.span = 'minute' then lateness := greatest(lateness, times[place] - elapsed);
        elsif bucket.span in ('day', 'month') then lateness := greatest(lateness, times[place] - stamp); end if;
      end loop;
      longest := 0;
      for take in select * from jsonb_array_elements(item -> 1) loop
        longest := longest + 1;
        place := (take ->> 0)::int;
        bucket := buckets[place];
        need := (take ->> 1)::bigint;
        amount := need + case when usable > 0 then extra[longest] else 0 end;
        total := amount + (granted - 1) * need;
        until_at := case when bucket.span in ('day', 'month') then bucket.ends else 0 end;
        bucket.used := bucket.used + total;
        if bucket.span = 'running' and total > 0 then
          bucket.holders := bucket.holders || jsonb_build_object(me, coalesce((bucket.holders ->> me)::bigint, 0) + total);
        elsif bucket.span = 'minute' and total > 0 then
          until_at := times[place] + ${minuteMs} + doubt + case when usable > 0 then usable + ${marginMs} else 0 end;
          last_at := bucket.untils[cardinality(bucket.untils)];
          if until_at <= last_at then
            until_at := last_at;
            bucket.amounts[cardinality(bucket.amounts)] := bucket.amounts[cardinality(bucket.amounts)] + total;
          else
            if cardinality(bucket.untils) >= ${exactEntries} then until_at := (until_at + ${roundedMs - 1}) / ${roundedMs} * ${roundedMs}; end if;
            bucket.untils := bucket.untils || until_at;
            bucket.amounts := bucket.amounts || total;
          end if;
        end if;
        buckets[place] := bucket;
        grants := grants || jsonb_build_array(until_at, amount, bucket.used, case
          when bucket.span = 'minute' then greatest(0, coalesce(bucket.untils[cardinality(bucket.untils)], times[place]) - times[place])
          when bucket.span in ('day', 'month') then bucket.ends - times[place] end);
      end loop;
    end if;
    refusal := null;
    if granted < (item ->> 0)::bigint then
      standings := '{}';
      longest := -1;
      longest_wait := 0;
      for take in select * from jsonb_array_elements(item -> 1) loop
        place := (take ->> 0)::int;
        bucket := buckets[place];
        need := (take ->> 1)::bigint;
        cap := (take ->> 3)::bigint;
        standings := standings || jsonb_build_array(bucket.used, case
          when bucket.span = 'minute' then greatest(0, coalesce(bucket.untils[cardinality(bucket.untils)], times[place]) - times[place])
          when bucket.span in ('day', 'month') then bucket.ends - times[place] end);
        continue when cap is null or need = 0 or bucket.used + need <= cap;
        if need > cap or bucket.span = 'ever' then wait := null;
        elsif bucket.span = 'running' then wait := ${runningWaitMs};
        elsif bucket.span <> 'minute' then wait := bucket.ends - times[place];
        else
          wait := null;
          total := bucket.used + need - cap;
          for i in 1 .. cardinality(bucket.untils) loop
            total := total - bucket.amounts[i];
            if total <= 0 then
              wait := bucket.untils[i] - times[place];
              exit;
            end if;
          end loop;
        end if;
        if longest < 0 or (longest_wait is not null and (wait is null or wait > longest_wait)) then
          longest := cardinality(standings) - 1;
          longest_wait := wait;
        end if;
      end loop;
      refusal := jsonb_build_array(longest, longest_wait, to_jsonb(standings));
    end if;
    replies := replies || jsonb_build_object('granted', granted, 'late', lateness, 'lease', usable,
      'grants', to_jsonb(grants), 'refused', refusal);
  end loop;

  for i in 1 .. cardinality(ids) loop
    bucket := buckets[i];
    continue when bucket.id is null;
    update limit_buckets set at = bucket.at, ends = bucket.ends, used = bucket.used, untils = bucket.untils,
      amounts = bucket.amounts, holders = bucket.holders
    where id = bucket.id;
  end loop;
  return jsonb_build_object('in_time', true, 'late', late, 'replies', to_jsonb(replies));
end
$function$`;
