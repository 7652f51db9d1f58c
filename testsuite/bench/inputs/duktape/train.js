function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function sieve(n) {
	var a = [], c = 0;
	for (var i = 0; i <= n; i++) a[i] = true;
	for (i = 2; i <= n; i++)
		if (a[i]) for (c++, j = i * i; j <= n; j += i) a[j] = false;
	return c;
}
function words(n) {
	var t = [], c = 0;
	for (var i = 0; i < n; i++) t.push(i + ':' + 'xyz'.charAt(i % 3));
	t.join(',').replace(/\d+/g, function (m) { c += m.length; });
	return c;
}
function P(x, y) { this.x = x; this.y = y; }
P.prototype.add = function (o) {
	return new P(this.x + o.x, this.y + o.y);
};
function points(n) {
	var p = new P(0, 0);
	for (var i = 0; i < n; i++) p = p.add(new P(i, 1));
	return p.x;
}
function sorted(n) {
	var a = [];
	for (var i = 0; i < n; i++) a.push((i * 7919) % 10007);
	return a.sort(function (p, q) { return p - q; })[0];
}
for (var round = 0; round < s; round++)
	print(fib(s < 1 ? 18 : 25), sieve(60000 * Math.min(s, 1)),
		words(15000 * Math.min(s, 1)), points(60000 * Math.min(s, 1)),
		sorted(10000 * Math.min(s, 1)),
		JSON.stringify(JSON.parse('{"a":[1,2,3],"b":"' + round + '"}')));
