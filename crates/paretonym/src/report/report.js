"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { ids, fields, objectives, telling, columns } = data;
  const byId = (id) => document.getElementById(id);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  // Numbers: the rule of number.rs.
  const grouped = (digits) => {
    const [, sign, whole, rest] = /^(-?)(\d*)(.*)$/s.exec(digits);
    return sign + (whole.length < 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")) + rest;
  };
  const nudged = (value) => value * (1 + 1e-12);
  const magnitude = (value) => Math.floor(Math.log10(Math.abs(value)));
  const number = (value) => {
    if (Number.isInteger(value)) return grouped(String(value));
    const size = magnitude(value);
    if (size < -6 || size >= 15) return value.toExponential(3).replace("e+", "e");
    return grouped(nudged(value).toFixed(Math.max(3 - size, 0)));
  };
  const percent = (value) => {
    const points = nudged(value * 100);
    const small = Math.abs(points) < 0.1;
    const decimals = points === 0 ? 0 : small ? Math.min(1 - magnitude(points), 8) : 2;
    return grouped(points.toFixed(decimals)) + "\u00a0%";
  };
  const rounded = (value) => Number(value.toPrecision(12));
  const show = (field, value) =>
    value === null ? "–" : fields[field].kind === "share" ? percent(value) : number(value);
  const showRound = (field, value) =>
    fields[field].kind === "share"
      ? grouped(String(rounded(value * 100))) + "\u00a0%"
      : grouped(String(rounded(value)));
  const value = (field, i) => fields[field].values[i];

  // Choosing: the rule of front/choose.rs.
  const privacy = objectives.filter((objective) => objective.private);
  const isPrice = (limit) => limit.name === "max_loss" || limit.name === "max_suppression";
  const worth = (objective, i) => (objective.falls ? -1 : 1) * value(objective.field, i);
  const beyond = (limit, i) => (limit.upper ? 1 : -1) * (value(limit.field, i) - limit.value);
  const known = (limit, i) => value(limit.field, i) !== null;
  const holds = (limit, i) => known(limit, i) && beyond(limit, i) <= 1e-12 * Math.max(Math.abs(limit.value), 1);
  const first = (list, compare) =>
    list.reduce((best, one) => (best === undefined || compare(one, best) < 0 ? one : best), undefined);
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const everyone = ids.map((_, i) => i);

  const choose = (limits) => {
    const feasible = everyone.filter((i) => limits.every((limit) => holds(limit, i)));
    const loss = (i) => value(data.loss, i);
    const best = [];
    const take = (i) => i !== undefined && !best.includes(i) && best.push(i);
    if (limits.some(isPrice) || !limits.some((limit) => !isPrice(limit))) {
      for (const o of privacy)
        take(
          first(
            feasible,
            (a, b) => order(worth(o, b), worth(o, a)) || order(loss(a), loss(b)) || order(ids[a], ids[b]),
          ),
        );
    }
    if (limits.some((limit) => !isPrice(limit)))
      take(first(feasible, (a, b) => order(loss(a), loss(b)) || order(ids[a], ids[b])));
    const relaxations = [];
    for (const limit of limits) {
      const others = limits.filter((other) => other !== limit);
      const gain = isPrice(limit) ? (i) => Math.max(...privacy.map((o) => worth(o, i))) : (i) => -loss(i);
      const distance = (i) => (known(limit, i) ? beyond(limit, i) : Infinity);
      const have = feasible.reduce((most, i) => Math.max(most, gain(i)), -Infinity);
      const better = everyone.filter(
        (i) => !holds(limit, i) && others.every((other) => holds(other, i)) && gain(i) > have,
      );
      const little = limit.name === "min_k" || limit.name === "min_l" ? Math.max(limit.value * 0.1, 1) : 0.01;
      const nearest = first(better, (a, b) => order(distance(a), distance(b)) || order(gain(b), gain(a)));
      const near = better.filter((i) => distance(i) <= little * (1 + 1e-9));
      const step = first(near, (a, b) => order(gain(b), gain(a)) || order(distance(a), distance(b)));
      for (const i of new Set([nearest, step])) if (i !== undefined) relaxations.push({ limit, i });
    }
    return { feasible, best, relaxations };
  };

  // Answers: the words of questions.rs.
  const limitWords = (limit) => {
    const text = showRound(limit.field, limit.value);
    switch (limit.name) {
      case "max_loss":
        return limit.share ? `at most ${text} loss` : `a loss of at most ${text}`;
      case "max_suppression":
        return `at most ${text} suppressed`;
      case "min_k":
        return `k at least ${text}`;
      case "min_l":
        return `l at least ${text}`;
      default:
        return `t at most ${text}`;
    }
  };
  const roomWords = ({ limit, i }) => {
    const text = show(limit.field, value(limit.field, i));
    switch (limit.name) {
      case "max_loss":
        return limit.share ? `At ${text} loss` : `At a loss of ${text}`;
      case "max_suppression":
        return `At ${text} suppressed`;
      default:
        return `At ${fields[limit.field].label} = ${text}`;
    }
  };
  const capital = (words) => (/^[klt] /.test(words) ? words : words[0].toUpperCase() + words.slice(1));
  const pick = (i, text) => {
    const button = make("button", text ?? `solution ${ids[i]}`, "pick");
    button.type = "button";
    button.dataset.i = i;
    return button;
  };
  const line = (i, before) => {
    const item = make("li", before);
    telling.forEach((field, at) => {
      const { label, key } = fields[field];
      const isPrivacy = privacy.some((objective) => objective.field === field);
      const text = `${label}${isPrivacy || key === "k" ? " =" : ""} ${show(field, value(field, i))}`;
      item.append(at ? ", " : "", isPrivacy ? make("b", text) : text);
    });
    const id = make("span", "(", "id");
    id.append(pick(i), ")");
    item.append(" ", id);
    return item;
  };
  const list = (items, className) => {
    const element = make("ul", undefined, className);
    element.append(...items);
    return element;
  };

  // Limits.
  const form = byId("limits");
  const readLimits = () =>
    data.limits.flatMap((limit) => {
      const input = form.elements[limit.name];
      const typed = input.value.trim() === "" ? NaN : Number(input.value);
      if (!Number.isFinite(typed) || typed < 0) return [];
      return [{ ...limit, value: limit.share ? rounded(typed / 100) : typed }];
    });
  let limits = [];
  let within = new Set();

  const writeAnswer = ({ feasible, best, relaxations }) => {
    const words = capital(limits.length ? limits.map(limitWords).join(" and ") : "without limits");
    const parts = feasible.length
      ? [make("p", `${words}: ${number(feasible.length)} of ${number(ids.length)} solutions. The best:`)]
      : [make("p", `${words}: no solution.`, "none")];
    if (best.length)
      parts.push(
        list(
          best.map((i) => line(i)),
          "best",
        ),
      );
    if (relaxations.length) {
      const items = relaxations.map((one) => line(one.i, `${roomWords(one)}: `));
      parts.push(make("p", "With more room:"), list(items, "more"));
    }
    byId("answer").replaceChildren(...parts);
  };
  const applyLimits = (typed) => {
    limits = readLimits();
    const choice = choose(limits);
    within = new Set(choice.feasible);
    if (typed) writeAnswer(choice);
    all(".points .p").forEach((point) => point.classList.toggle("out", !within.has(Number(point.dataset.i))));
    plots.forEach((plot) => plot.limit(limits, limits.length ? choice.best : []));
    fillTable();
    return choice;
  };

  // Plots: each knows where a solution lies.
  const along = (scale, v) => {
    const share = scale.log
      ? (Math.log(Math.max(v, scale.low)) - Math.log(scale.low)) / (Math.log(scale.high) - Math.log(scale.low))
      : (v - scale.low) / (scale.high - scale.low);
    return scale.from + share * (scale.to - scale.from);
  };
  const plots = all("svg[data-plot]").map((svg) => {
    const { x, y, across, up } = JSON.parse(svg.dataset.plot);
    const places = everyone.map((i) => [along(across, value(x, i)), along(up, value(y, i))]);
    const put = (ring, i) => {
      ring.toggleAttribute("hidden", i === undefined);
      if (i === undefined) return;
      ring.setAttribute("cx", places[i][0]);
      ring.setAttribute("cy", places[i][1]);
    };
    const [near, chosen] = [svg.querySelector(".ring.near"), svg.querySelector(".ring.chosen")];
    const clamp = (at, scale) => Math.min(Math.max(at, Math.min(scale.from, scale.to)), Math.max(scale.from, scale.to));
    // Shades what lies beyond a limit on one axis.
    const shade = (limits, field, scale, name, start, size) => {
      const rect = svg.querySelector(`[data-beyond=${name}]`);
      const limit = limits.find((one) => one.field === field);
      const at = limit && clamp(along(scale, limit.value), scale);
      const end = limit && (limit.upper ? scale.to : scale.from);
      rect.setAttribute(size, limit ? Math.abs(end - at) : 0);
      if (limit) rect.setAttribute(start, Math.min(at, end));
    };
    return {
      svg,
      places,
      point: (i) => put(near, i),
      choose: (i) => put(chosen, i),
      limit: (limits, best) => {
        shade(limits, x, across, "x", "x", "width");
        shade(limits, y, up, "y", "y", "height");
        all(".ring.answer", svg).forEach((ring, at) => put(ring, best[at]));
      },
      nearest: (event) => {
        const matrix = svg.getScreenCTM();
        const [px, py] = [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d];
        let [found, least] = [undefined, 30 * 30];
        places.forEach(([a, b], i) => {
          const d = (a - px) ** 2 + (b - py) ** 2;
          if (d < least) [found, least] = [i, d];
        });
        return found;
      },
      screen: (i) => {
        const matrix = svg.getScreenCTM();
        return [places[i][0] * matrix.a + matrix.e, places[i][1] * matrix.d + matrix.f];
      },
    };
  });

  // A solution's numbers and recoding.
  const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const describe = (i, brief) => {
    const numbers = make("dl", undefined, "numbers");
    const shown = brief ? [...new Set([...objectives.map((o) => o.field), ...telling])] : fields.map((_, at) => at);
    for (const field of shown) {
      const pair = make("div");
      const text = make("dd", show(field, value(field, i)));
      text.title = value(field, i) ?? "";
      pair.append(make("dt", fields[field].label), text);
      numbers.append(pair);
    }
    const table = make("table", undefined, "recoding");
    columns.slice(0, brief ? 9 : undefined).forEach(({ name, words, of }) => {
      const row = table.insertRow();
      const text = of[i] === null ? "–" : words[of[i]];
      row.append(make("th", brief ? short(name, 30) : name), make("td", brief ? short(text, 48) : text));
    });
    if (brief && columns.length > 9) table.insertRow().append(make("td", `and ${columns.length - 9} more columns`));
    return [make("h3", `Solution ${ids[i]}`), numbers, table];
  };

  const tip = byId("tip");
  let pointed;
  const point = (i, plot) => {
    if (i !== pointed) {
      plots.forEach((each) => each.point(i));
      rows[pointed]?.classList.remove("near");
      rows[i]?.classList.add("near");
      pointed = i;
      if (i !== undefined && plot) tip.replaceChildren(...describe(i, true));
    }
    tip.hidden = i === undefined || !plot;
    if (tip.hidden) return;
    const [x, y] = plot.screen(i);
    const { offsetWidth: w, offsetHeight: h } = tip;
    const left = x + 16 + w > innerWidth ? Math.max(x - w - 16, 4) : x + 16;
    const top = Math.min(Math.max(y - h / 2, 4), innerHeight - h - 4);
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${Math.max(top, 4) + scrollY}px`;
  };
  let chosen;
  const chooseSolution = (i) => {
    rows[chosen]?.classList.remove("chosen");
    rows[i]?.classList.add("chosen");
    chosen = i;
    plots.forEach((plot) => plot.choose(i));
    byId("chosen").hidden = i === undefined;
    if (i !== undefined) byId("chosen").replaceChildren(...describe(i, false));
  };

  for (const plot of plots) {
    const { svg } = plot;
    // Keys follow the plot from left to right.
    const path = [...everyone].sort(
      (a, b) => plot.places[a][0] - plot.places[b][0] || plot.places[b][1] - plot.places[a][1],
    );
    svg.addEventListener("pointermove", (event) => point(plot.nearest(event), plot));
    svg.addEventListener("pointerleave", () => point(undefined));
    svg.addEventListener("blur", () => point(undefined));
    svg.addEventListener("click", (event) => {
      const i = plot.nearest(event);
      if (i !== undefined) chooseSolution(i);
    });
    svg.addEventListener("keydown", (event) => {
      const at = path.indexOf(pointed ?? chosen);
      const next = {
        ArrowRight: at + 1,
        ArrowUp: at + 1,
        ArrowLeft: at - 1,
        ArrowDown: at - 1,
        Home: 0,
        End: path.length - 1,
      }[event.key];
      if (next !== undefined) point(path[Math.min(Math.max(next, 0), path.length - 1)], plot);
      else if (event.key === "Enter" && pointed !== undefined) chooseSolution(pointed);
      else if (event.key === "Escape") point(undefined);
      else return;
      event.preventDefault();
    });
  }

  // The table. Rows that were not written are made when they are shown.
  const body = document.querySelector("#solutions tbody");
  const rows = [];
  all("tr", body).forEach((row) => (rows[row.dataset.i] = row));
  let shown = rows.length;
  const row = (i) => {
    if (rows[i]) return rows[i];
    const made = make("tr");
    made.dataset.i = i;
    const head = make("th");
    head.scope = "row";
    head.append(pick(i, ids[i]));
    made.append(head);
    fields.forEach((field, at) => {
      const cell = make("td", show(at, value(at, i)));
      if (value(at, i) !== null) cell.title = cell.dataset.value = value(at, i);
      made.append(cell);
    });
    return (rows[i] = made);
  };
  let sort = { by: "id", down: false };
  const fillTable = () => {
    const key = (i) => (sort.by === "id" ? ids[i] : value(sort.by, i));
    const only = byId("within").checked;
    const wanted = everyone.filter((i) => !only || within.has(i));
    wanted.sort((a, b) => {
      const [left, right] = [key(a), key(b)];
      if (left === null || right === null) return (left === null) - (right === null) || a - b;
      return (sort.down ? right - left : left - right) || a - b;
    });
    const visible = wanted.slice(0, shown);
    body.replaceChildren(
      ...visible.map((i) => {
        const one = row(i);
        one.classList.toggle("out", !within.has(i));
        one.classList.toggle("chosen", i === chosen);
        return one;
      }),
    );
    byId("count").textContent = `${number(visible.length)} of ${number(ids.length)} shown`;
    byId("all").hidden = visible.length === wanted.length;
  };
  all("#solutions thead button").forEach((button) =>
    button.addEventListener("click", () => {
      const by = button.dataset.sort === "id" ? "id" : Number(button.dataset.sort);
      sort = { by, down: sort.by === by && !sort.down };
      all("#solutions thead th").forEach((head) => head.removeAttribute("aria-sort"));
      button.parentElement.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
      fillTable();
    }),
  );
  byId("within").addEventListener("change", fillTable);
  byId("all").addEventListener("click", () => {
    shown = ids.length;
    fillTable();
  });
  body.addEventListener("pointerover", (event) => {
    const over = event.target.closest("tr");
    if (over) point(Number(over.dataset.i));
  });
  body.addEventListener("pointerleave", () => point(undefined));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.pick");
    if (button) chooseSolution(Number(button.dataset.i));
  });

  form.addEventListener("input", () => applyLimits(true));
  form.addEventListener("reset", () =>
    setTimeout(() => {
      all("input", form).forEach((input) => (input.value = ""));
      applyLimits(true);
    }),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  const opening = applyLimits(false);
  chooseSolution(opening.best[0]);
})();
