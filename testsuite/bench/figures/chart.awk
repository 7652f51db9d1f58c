# chart.awk - a picture (SVG) of a table.
#
#	kind	bars: a group for each line, named by its first column
#		lines: x is the first column, a line for each other one
#		points: likewise, without lines but for columns of curves
#	title	above
#	first	the first column that is drawn; its name is in the header line
#	logx	1: x is logarithmic; logy likewise
#	skip	lines whose first column fits this pattern are not drawn
#	curves	of points: columns whose name fits are drawn as lines, on top
#	ymax	the upper end of y; otherwise what the data need

function is_number(s) {
	return s ~ /^-?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?$/
}

function text(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	return s
}

function scaled(v, logarithmic) {
	return logarithmic ? log(v) / log(10) : v
}

function px(v) {
	return left + (scaled(v, logx) - xlow) / (xhigh - xlow) * width
}

function py(v) {
	v = (scaled(v, logy) - ylow) / (yhigh - ylow)
	return top + height - (v < 0 ? 0 : v > 1 ? 1 : v) * height
}

# A round number a little above.
function round_up(v,	unit) {
	unit = 1
	while (unit * 10 < v)
		unit *= 10
	while (unit > v)
		unit /= 10
	return unit * (v <= unit * 2 ? 2 : v <= unit * 5 ? 5 : 10)
}

function label(x, y, anchor, s) {
	printf "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n",
		x, y, anchor, text(s)
}

function rule(x1, y1, x2, y2, color) {
	printf "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>\n",
		x1, y1, x2, y2, color
}

function power(e) {
	return e > -4 && e < 6 ? sprintf("%g", 10 ^ e) : "1e" e
}

function axis_y(	i, v) {
	for (i = 0; i <= 5; i++) {
		if (logy && ylow + i > yhigh)
			break
		v = logy ? 10 ^ (ylow + i) : ylow + (yhigh - ylow) * i / 5
		rule(left, py(v), left + width, py(v), "#ddd")
		label(left - 6, py(v) + 4, "end",
			logy ? power(ylow + i) : sprintf("%g", v))
	}
}

function axis_x(	r, last) {
	last = -100
	for (r = 1; r <= rows; r++) {
		if (px(x[r]) - last < 40)
			continue
		last = px(x[r])
		label(last, top + height + 16, "middle", x[r])
	}
}

function legend(	i, y) {
	for (i = first; i <= columns; i++) {
		y = top + (i - first) * 18
		printf "<rect x='%d' y='%d' width='12' height='12' fill='%s'/>\n",
			left + width + 12, y, color[(i - first) % colors + 1]
		label(left + width + 30, y + 11, "start", name[i])
	}
}

function draw_bars(	r, i, group, bar, y) {
	group = rows ? width / rows : 0
	bar = group * .8 / (columns - first + 1)
	for (r = 1; r <= rows; r++) {
		for (i = first; i <= columns; i++) {
			if (!is_number(cell[r, i]))
				continue
			y = py(cell[r, i])
			printf "<rect x='%.1f' y='%.1f' width='%.1f' " \
				"height='%.1f' fill='%s'/>\n",
				left + (r - .9) * group + (i - first) * bar, y,
				bar, top + height - y,
				color[(i - first) % colors + 1]
		}
		if (rows <= 20 || r % int(rows / 10) == 1)
			label(left + (r - .5) * group, top + height + 16,
				"middle", x[r])
	}
}

function is_curve(i) {
	return kind == "lines" || (curves && name[i] ~ curves)
}

# Many points as one path, each of them once.
function draw_points(i,	r, place, path) {
	for (r = 1; r <= rows; r++) {
		if (!is_number(cell[r, i]) || (logy && cell[r, i] <= 0))
			continue
		place = int(px(x[r])) " " int(py(cell[r, i]))
		if (!((place, i) in drawn))
			path = path "M" place "h2"
		drawn[place, i] = 1
	}
	printf "<path d='%s' stroke='%s' stroke-width='2'/>\n", path,
		color[(i - first) % colors + 1]
}

function draw_curve(i,	r, path) {
	for (r = 1; r <= rows; r++) {
		if (!is_number(cell[r, i]) || (logy && cell[r, i] <= 0))
			continue
		path = path sprintf("%.1f,%.1f ", px(x[r]), py(cell[r, i]))
		if (kind == "lines")
			printf "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n",
				px(x[r]), py(cell[r, i]),
				color[(i - first) % colors + 1]
	}
	printf "<polyline points='%s' fill='none' stroke='%s' " \
		"stroke-width='%d'/>\n", path, color[(i - first) % colors + 1],
		kind == "lines" ? 1 : 2
}

function survey(	r, i, v) {
	for (r = 1; r <= rows; r++) {
		if (kind != "bars") {
			v = scaled(x[r], logx)
			if (r == 1 || v < xlow)
				xlow = v
			if (r == 1 || v > xhigh)
				xhigh = v
		}
		for (i = first; i <= columns; i++) {
			v = cell[r, i]
			if (!is_number(v) || (logy && v <= 0))
				continue
			if (v > highest)
				highest = v + 0
			if (!lowest || v < lowest)
				lowest = v + 0
		}
	}
	if (xhigh == xlow)
		xhigh = xlow + 1
	if (!ymax)
		ymax = logy ? highest : round_up(highest)
	ylow = logy ? int(scaled(lowest, 1) - 1) : 0
	yhigh = scaled(ymax, logy)
	if (yhigh <= ylow)
		yhigh = ylow + 1
}

BEGIN {
	colors = split("#4477aa #ee6677 #228833 #ccbb44 #66ccee #aa3377 " \
		"#bbbbbb #332288 #999933", color, " ")
	left = 60
	top = 40
	height = 300
}

/^#/ { next }

!columns {
	columns = last ? last : NF
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

skip && $1 ~ skip { next }

{
	x[++rows] = $1
	if (length($1) > longest)
		longest = length($1)
	for (i = first; i <= columns; i++)
		cell[rows, i] = $i
}

END {
	width = kind != "bars" ? 640 : rows * (longest > 9 ? 7.5 * longest : 70)
	if (width < 400)
		width = 400
	if (width > 1200)
		width = 1200
	survey()
	printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' " \
		"height='%d' font-family='sans-serif' font-size='12'>\n",
		left + width + 160, top + height + 40
	print "<rect width='100%' height='100%' fill='white'/>"
	label(left, 24, "start", title)
	axis_y()
	if (kind == "bars")
		draw_bars()
	else {
		axis_x()
		for (i = first; i <= columns; i++)
			if (!is_curve(i))
				draw_points(i)
		for (i = first; i <= columns; i++)
			if (is_curve(i))
				draw_curve(i)
	}
	rule(left, top + height, left + width, top + height, "black")
	legend()
	print "</svg>"
}
