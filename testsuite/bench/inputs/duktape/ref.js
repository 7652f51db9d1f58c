function queens(n, row, columns, left, right) {
	if (row == n) return 1;
	for (var c = 0, found = 0; c < n; c++) {
		if (columns[c] || left[row + c] || right[row - c + n]) continue;
		columns[c] = left[row + c] = right[row - c + n] = true;
		found += queens(n, row + 1, columns, left, right);
		columns[c] = left[row + c] = right[row - c + n] = false;
	}
	return found;
}
function multiply(n) {
	var a = [], b = [], trace = 0;
	for (var i = 0; i < n; i++) {
		a.push([]); b.push([]);
		for (var j = 0; j < n; j++) {
			a[i].push((i + j) / 2); b[i].push(i ^ j);
		}
	}
	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			for (var k = 0, sum = 0; k < n; k++)
				sum += a[i][k] * b[k][j];
			if (i == j) trace += sum;
		}
	return trace;
}
function counted(n) {
	var text = 'the quick brown fox jumps over the lazy dog and the cat',
		count = {}, most = '';
	for (var i = 0; i < n; i++)
		text.split(' ').forEach(function (w) {
			var key = w + i % 50;
			count[key] = (count[key] || 0) + 1;
		});
	for (var w in count)
		if (!most || count[w] > count[most]) most = w;
	return most + count[most] + Object.keys(count).sort().length;
}
function Tree(key) { this.key = key; this.left = this.right = null; }
Tree.prototype.insert = function (key) {
	var side = key < this.key ? 'left' : 'right';
	if (this[side]) this[side].insert(key);
	else this[side] = new Tree(key);
};
Tree.prototype.depth = function () {
	return 1 + Math.max(this.left ? this.left.depth() : 0,
		this.right ? this.right.depth() : 0);
};
function grown(n) {
	var root = new Tree(n / 2), x = 1;
	for (var i = 0; i < n; i++) {
		x = x * 16807 % 2147483647;
		root.insert(x % n);
	}
	return root.depth();
}
function digits(n) {
	for (var i = 0, s = ''; i < n; i++)
		s += String.fromCharCode(48 + i % 10);
	for (i = 0, h = 7; i < s.length; i++)
		h = (h * 31 + s.charCodeAt(i)) & 0xffffff;
	return h + s.toUpperCase().substring(5, 9);
}
for (var round = 0; round < s; round++)
	print(queens(s < 1 ? 5 : 7, 0, [], [], []), multiply(s < 1 ? 15 : 50),
		counted(1500 * Math.min(s, 1)), grown(8000 * Math.min(s, 1)),
		digits(60000 * Math.min(s, 1)),
		JSON.stringify({ a: [round, { b: 'c' }] }));
