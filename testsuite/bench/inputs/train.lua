-- The training input for lua: objects, closures, strings, tables, numbers.
-- lua train.lua ROUNDS
local rounds = tonumber(arg[1])

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end

local Queue = {}
Queue.__index = Queue
function Queue.new() return setmetatable({ first = 1, last = 0, items = {} }, Queue) end
function Queue:push(v) self.last = self.last + 1; self.items[self.last] = v end
function Queue:pop()
	local v = self.items[self.first]
	self.items[self.first] = nil
	self.first = self.first + 1
	return v
end

-- Breadth-first search on a grid with walls.
local function paths(size)
	local seen, queue = { [0] = 0 }, Queue.new()
	queue:push(0)
	while queue.first <= queue.last do
		local at = queue:pop()
		local x, y = at % size, at // size
		for _, d in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
			local nx, ny = x + d[1], y + d[2]
			local to = ny * size + nx
			if nx >= 0 and ny >= 0 and nx < size and ny < size and
			   not seen[to] and (nx * 7 + ny * 13) % 5 ~= 0 then
				seen[to] = seen[at] + 1
				queue:push(to)
			end
		end
	end
	local n, far = 0, 0
	for _, distance in pairs(seen) do
		n = n + 1
		if distance > far then far = distance end
	end
	return n .. "/" .. far
end

local function words(text)
	local counts, names = {}, {}
	for word in text:gmatch("%a+") do
		word = word:lower()
		if not counts[word] then names[#names + 1] = word end
		counts[word] = (counts[word] or 0) + 1
	end
	table.sort(names, function(a, b)
		if counts[a] ~= counts[b] then return counts[a] > counts[b] end
		return a < b
	end)
	return names[1] .. counts[names[1]] .. names[#names]
end

local function text(n)
	local parts, x = {}, 1
	local list = { "Alpha", "beta", "gamma", "delta", "of", "the", "and", "to" }
	for i = 1, n do
		x = (x * 1103515245 + 12345) % 2147483648
		parts[i] = list[x // 65536 % #list + 1] .. (x % 3 == 0 and "." or "")
	end
	return table.concat(parts, " ")
end

local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return count
end

local function integrate(f, a, b, n)
	local h, sum = (b - a) / n, 0.0
	for i = 0, n - 1 do
		local x = a + i * h
		sum = sum + h * (f(x) + 4 * f(x + h / 2) + f(x + h)) / 6
	end
	return sum
end

local function compose(...)
	local fs = { ... }
	return function(x)
		for i = 1, #fs do x = fs[i](x) end
		return x
	end
end

local source = text(2000)
for round = 1, rounds do
	local results = {
		fib(20), paths(40), words(source), sieve(12000),
		string.format("%.6f", integrate(math.sin, 0, 3, 3000)),
		compose(math.abs, math.sqrt, function(x) return x * 2 end)(-round * round),
		#source:gsub("%.", "!"):rep(2),
	}
	if round == rounds then print(table.concat(results, " ")) end
end
