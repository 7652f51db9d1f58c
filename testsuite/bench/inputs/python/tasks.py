# What programs in Python do all day, in small pieces.
#
#	tasks.py train|ref ROUNDS
import collections
import json
import random
import re
import string
import sys


class Vector:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    return node


def walk(node):
    if node:
        yield from walk(node.left)
        yield node.key
        yield from walk(node.right)


def tree(n):
    root = None
    for _ in range(n):
        root = insert(root, chance.randrange(10 * n))
    return sum(walk(root))


def vectors(n):
    total, dots = Vector(0.0, 0.0, 0.0), 0.0
    for i in range(n):
        v = Vector(i * 0.5, i * 0.25, 1.0)
        total = total + v
        dots += total.dot(v)
    return round(dots, 3)


def words(n):
    letters = string.ascii_lowercase[:5]
    count = collections.Counter()
    for i in range(n):
        count["".join(chance.choice(letters) for _ in range(3))] += 1
    return sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))[:5]


def records(n):
    data = [{"id": i, "name": "n%d" % i, "tags": list(range(i % 7)), "v": i / 3}
            for i in range(n)]
    return sum(each["id"] for each in json.loads(json.dumps(data)))


def patterns(n):
    text = " ".join("%s=%d;" % (chance.choice(["foo", "bar", "bazqux"]), i)
                    for i in range(n))
    found = re.finditer(r"(foo|baz\w+)=(\d+);", text)
    return sum(int(match.group(2)) for match in found)


def sieve(n):
    prime = bytearray([1]) * n
    for i in range(2, int(n ** 0.5) + 1):
        if prime[i]:
            prime[i * i::i] = bytes(len(range(i * i, n, i)))
    return sum(prime)


def queens(n):
    def place(row, columns, up, down):
        if row == n:
            return 1
        return sum(place(row + 1, columns | {c}, up | {row + c},
                         down | {row - c})
                   for c in range(n)
                   if c not in columns and row + c not in up
                   and row - c not in down)
    return place(0, frozenset(), frozenset(), frozenset())


def exceptions(n):
    total = 0
    for i in range(n):
        try:
            total += {0: 1, 1: 2}[i % 3]
        except KeyError:
            total -= 1
    return total


def lines(n):
    rows = []
    for i in range(n):
        row = f"{i:05d}|{i * 1.5:8.2f}|{'x' * (i % 5)}"
        rows.append(row.upper().replace("X", "-").split("|"))
    return len("".join(",".join(row) for row in rows))


def mandelbrot(n):
    total = 0
    for y in range(n):
        for x in range(n):
            c, z, i = complex(x / n * 3 - 2, y / n * 2 - 1), 0j, 0
            while abs(z) < 2 and i < 30:
                z = z * z + c
                i += 1
            total += i
    return total


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return len(str(a))


tasks = {
    "train": [(tree, 1500), (vectors, 10000), (words, 2000), (records, 1000),
              (patterns, 3000), (sieve, 75000), (queens, 5),
              (exceptions, 12500), (lines, 2000)],
    "ref": [(mandelbrot, 30), (tree, 1000), (words, 3000), (records, 1500),
            (patterns, 1500), (queens, 6), (fibonacci, 2000),
            (exceptions, 7500), (lines, 3500), (vectors, 5000)],
}
chance = random.Random(7 if sys.argv[1] == "train" else 99)
for _ in range(int(sys.argv[2])):
    for task, n in tasks[sys.argv[1]]:
        print(task.__name__, task(n))
