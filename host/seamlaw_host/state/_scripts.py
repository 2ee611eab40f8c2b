"""The operations of a `State` as scripts, each of which Redis runs as one step, with nothing in between.

Numbers go into commands as the texts they came as, or by `%.0f`: Lua's own conversion keeps 14 digits. All are whole
and below 2^53, where doubles are exact; a sum that goes past it is only compared, and stays on its side.

    {namespace}:begun             a text that is there as long as the data are
    {namespace}:attempts:KEY      a number
    {namespace}:window:LENGTH:KEY a list of times, in microseconds, of those admitted
    {namespace}:budget:KEY        a hash of two numbers of units: spent, reserved
    {namespace}:leases:KEY        a sorted set of `ID AMOUNT` by the time at which the lease runs out
"""

__all__ = ["BEGIN", "SCRIPTS"]

# Who comes first says what the text is; the others take it over.
BEGIN = """
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return {'ok', redis.call('GET', KEYS[1])}
"""

# The text is gone when the data are: after a restart without persistence, FLUSHALL, an eviction.
_BEGUN = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
"""

_NOW = """
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
"""

_ATTEMPT = (
    _BEGUN
    + """
local counts = {'ok'}
for at = 2, #KEYS do
  counts[at] = redis.call('INCR', KEYS[at])
  redis.call('PEXPIRE', KEYS[at], ARGV[2])
end
return counts
"""
)

_ATTEMPTS = (
    _BEGUN
    + """
return {'ok', redis.call('GET', KEYS[2]) or '0'}
"""
)

# limit, length of the window, for how long to keep it; times never go back, so the first is the oldest.
_ADMIT = (
    _BEGUN
    + _NOW
    + """
local limit, per = tonumber(ARGV[3]), tonumber(ARGV[4])
now = math.max(now, tonumber(redis.call('LINDEX', KEYS[2], -1) or now))
local first = redis.call('LINDEX', KEYS[2], 0)
while first and now - tonumber(first) >= per do
  redis.call('LPOP', KEYS[2])
  first = redis.call('LINDEX', KEYS[2], 0)
end
if redis.call('LLEN', KEYS[2]) >= limit then
  local leaves = redis.call('LINDEX', KEYS[2], '-' .. ARGV[3])
  return {'full', string.format('%.0f', per - (now - tonumber(leaves)))}
end
redis.call('RPUSH', KEYS[2], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return {'ok'}
"""
)

# Spend: a sum stops where it can still be told exactly. Leases that have run out are spent. An account of nothing is
# dropped; another is kept for ARGV[3] milliseconds, and for ARGV[4] more while something is reserved, or for good.
_ACCOUNT = (
    _BEGUN
    + _NOW
    + """
local MOST = '9007199254740991'
local function number(field) return tonumber(redis.call('HGET', KEYS[2], field) or '0') end
local function spend(amount)
  if number('spent') + tonumber(amount) > tonumber(MOST) then redis.call('HSET', KEYS[2], 'spent', MOST)
  elseif amount ~= '0' then redis.call('HINCRBY', KEYS[2], 'spent', amount) end
end
local function unreserve(member, amount)
  redis.call('ZREM', KEYS[3], member)
  if amount ~= '0' then redis.call('HINCRBY', KEYS[2], 'reserved', '-' .. amount) end
end
local function touched()
  local open = redis.call('ZCARD', KEYS[3])
  if open == 0 and number('spent') == 0 then redis.call('DEL', KEYS[2], KEYS[3])
  elseif ARGV[3] ~= '' then
    local kept = tonumber(ARGV[3])
    if open > 0 then kept = kept + tonumber(ARGV[4]) end
    redis.call('PEXPIRE', KEYS[2], string.format('%.0f', kept))
    redis.call('PEXPIRE', KEYS[3], string.format('%.0f', kept))
  end
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now))) do
  local amount = string.match(member, ' (%d+)$')
  unreserve(member, amount)
  spend(amount)
end
"""
)

# id and amount, amount, cap, length of the lease; the same id again is the same answer.
_RESERVE = (
    _ACCOUNT
    + """
if redis.call('ZSCORE', KEYS[3], ARGV[5]) then return {'ok'} end
local amount, cap = tonumber(ARGV[6]), tonumber(ARGV[7])
local used = number('spent') + number('reserved')
if used + amount > cap or used >= cap then return {'full'} end
redis.call('ZADD', KEYS[3], string.format('%.0f', now + tonumber(ARGV[8])), ARGV[5])
redis.call('HINCRBY', KEYS[2], 'reserved', ARGV[6])
touched()
return {'ok'}
"""
)

# id and amount, the amount reserved, the amount spent
_CLOSE = (
    _ACCOUNT
    + """
if not redis.call('ZSCORE', KEYS[3], ARGV[5]) then return {'closed'} end
unreserve(ARGV[5], ARGV[6])
spend(ARGV[7])
touched()
return {'ok'}
"""
)

_CHARGE = (
    _ACCOUNT
    + """
spend(ARGV[5])
touched()
return {'ok'}
"""
)

_SPENDING = (
    _ACCOUNT
    + """
return {'ok', redis.call('HGET', KEYS[2], 'spent') or '0', redis.call('HGET', KEYS[2], 'reserved') or '0'}
"""
)

_FORGET = (
    _ACCOUNT
    + """
redis.call('DEL', KEYS[4])
redis.call('HDEL', KEYS[2], 'spent')
touched()
return {'ok'}
"""
)

SCRIPTS = {
    "begin": BEGIN,
    "attempt": _ATTEMPT,
    "attempts": _ATTEMPTS,
    "admit": _ADMIT,
    "reserve": _RESERVE,
    "close": _CLOSE,
    "charge": _CHARGE,
    "spending": _SPENDING,
    "forget": _FORGET,
}
