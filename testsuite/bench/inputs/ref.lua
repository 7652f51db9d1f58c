-- What lua is judged by: other programs than those of the training.
-- lua ref.lua ROUNDS
local rounds = tonumber(arg[1])

local function queens(n)
	local count, columns, up, down = 0, {}, {}, {}
	local function place(row)
		if row > n then count = count + 1 return end
		for c = 1, n do
			if not columns[c] and not up[row + c] and not down[row - c + n] then
				columns[c], up[row + c], down[row - c + n] = true, true, true
				place(row + 1)
				columns[c], up[row + c], down[row - c + n] = nil, nil, nil
			end
		end
	end
	place(1)
	return count
end

-- A reader of arithmetic, its tree, and a printer of the tree.
local function parse(s)
	local at = 1
	local expression
	local function peek() at = s:find("%S", at) or #s + 1; return s:sub(at, at) end
	local function atom()
		if peek() == "(" then
			at = at + 1
			local e = expression()
			assert(peek() == ")", "expected )")
			at = at + 1
			return e
		end
		local from, to = s:find("^[%d.]+", at)
		assert(from, "expected a number")
		at = to + 1
		return { op = "n", value = tonumber(s:sub(from, to)) }
	end
	local function chain(next, ops)
		return function()
			local left = next()
			while peek() ~= "" and ops:find(peek(), 1, true) do
				local op = peek()
				at = at + 1
				left = { op = op, left = left, right = next() }
			end
			return left
		end
	end
	expression = chain(chain(atom, "*/"), "+-")
	return expression()
end

local apply = {
	["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
	["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end,
}
local function value(e)
	if e.op == "n" then return e.value end
	return apply[e.op](value(e.left), value(e.right))
end
local function show(e)
	if e.op == "n" then return tostring(e.value) end
	return "(" .. show(e.left) .. e.op .. show(e.right) .. ")"
end

local function life(cells, width)
	local next = {}
	for i = 0, width * width - 1 do
		local n, x, y = 0, i % width, i // width
		for dy = -1, 1 do
			for dx = -1, 1 do
				local j = (y + dy) % width * width + (x + dx) % width
				if j ~= i and cells[j] then n = n + 1 end
			end
		end
		next[i] = n == 3 or (n == 2 and cells[i])
	end
	return next
end

local function permutations(a, n, f)
	if n == 0 then return f(a) end
	for i = 1, n do
		a[n], a[i] = a[i], a[n]
		permutations(a, n - 1, f)
		a[n], a[i] = a[i], a[n]
	end
end

local Matrix = {}
Matrix.__index = Matrix
Matrix.__mul = function(a, b)
	local c = setmetatable({}, Matrix)
	for i = 1, #a do
		c[i] = {}
		for j = 1, #b[1] do
			local sum = 0
			for k = 1, #b do sum = sum + a[i][k] * b[k][j] end
			c[i][j] = sum
		end
	end
	return c
end

local function matrix(n)
	local m = setmetatable({}, Matrix)
	for i = 1, n do
		m[i] = {}
		for j = 1, n do m[i][j] = (i * j) % 7 / 2 end
	end
	return m
end

local producer = function(n)
	return coroutine.wrap(function() for i = 1, n do coroutine.yield(i * i) end end)
end

for round = 1, rounds do
	local tree = parse("1 + 2 * (3 - 4 / 5) * (6 + 7 * (8 - 9)) - 10 / (11 + 12)")
	local sum, cells, longest = 0, {}, 0
	for _ = 1, 150 do sum = sum + value(parse(show(tree))) end
	for i = 0, 399 do cells[i] = i * i % 3 == 1 end
	for _ = 1, 8 do cells = life(cells, 20) end
	local alive = 0
	for _, c in pairs(cells) do if c then alive = alive + 1 end end
	permutations({ "a", "b", "c", "d", "e", "f" }, 6, function(a)
		local s = table.concat(a)
		if s > "d" then longest = longest + #s end
	end)
	local m = matrix(25)
	local p = m * m * m
	local total = 0
	for v in producer(500) do total = total + v end
	if round == rounds then
		print(queens(7), string.format("%.9g %d %d %.1f %d", sum, alive, longest,
			p[3][5], total))
	else
		queens(7)
	end
end
