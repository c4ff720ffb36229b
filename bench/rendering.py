"""Writes down what `bench/table` measured: all of it as JSON, and as Markdown for people."""

import json

import measure


def role(name):
    return "ours" if name.startswith("ours") else "limit" if name.startswith("limit") else "peer"


def write(out, lines, version):
    """table.json with everything, table.md with a row for each of ours against each peer and the limit."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.json").write_text(json.dumps({"ours": version, "lines": lines}, indent=1), encoding="utf-8")
    text = f"{version}; CPU seconds of all threads, best (median) of the repetitions of one run; memory in MiB.\n\n"
    text += short(lines) + "\n"
    head = ["work", "peer", "CPU s", "MiB", "ours", "CPU s", "MiB", "peer / ours", "limit, CPU s", "ours / limit", "load"]
    text += measure.markdown(head, [row for line in lines for row in rows_of(line)])
    text += "\n" + notes(lines)
    (out / "table.md").write_text(text, encoding="utf-8")


def seconds(one):
    return f"{measure.figure(one['cpu_seconds']['best'])} ({measure.figure(one['cpu_seconds']['median'])})"


def rows_of(line):
    of = {kind: [(name, one) for name, one in line["measured"].items() if one["role"] == kind] for kind in ("peer", "ours", "limit")}
    limits = [one["cpu_seconds"]["best"] for _, one in of["limit"]]
    for ours_name, ours in of["ours"]:
        best = ours["cpu_seconds"]["best"]
        own = [ours_name.removeprefix("ours, "), seconds(ours), measure.figure(ours["peak_mib"]["most"])]
        limit = [measure.figure(limits[0]), f"{best / limits[0]:.2f}"] if limits else ["–", "–"]
        peers = [
            (f"{name} {one['version'] or ''}".strip(), seconds(one), measure.figure(one["peak_mib"]["most"]), one["cpu_seconds"]["best"])
            for name, one in of["peer"]
        ]
        peers += [(name, measure.figure(value), "–", value) for name, value in line["quoted"].items()]
        for name, shown, peak, value in peers or [("–", "–", "–", None)]:
            ratio = f"{value / best:.2f}" if value else "–"
            yield [line["title"], name, shown, peak, *own, ratio, *limit, line["load"]]


def notes(lines):
    """What is not there, results that can be held against each other, and what the limits are."""
    text = ""
    for line in lines:
        for name, why in line["missing"].items():
            text += f"- {line['title']}: {name} gave nothing here: {why}\n"
        for name, one in line["measured"].items():
            found = [sample["result"] for sample in one["samples"] if sample.get("result")]
            if found and line["work"] == "search" and "hypervolume" in found[0]:
                areas = ", ".join(f"{result['hypervolume']:.4f}" for result in found)
                text += f"- {line['title']}: hypervolume of {name} by seed: {areas}\n"
            elif found and line["work"] in ("audit", "release") or found and line["work"].startswith("count"):
                shown = {key: found[-1][key] for key in ("rows", "groups", "distinct", "k", "l", "t", "evaluated") if key in found[-1]}
                text += f"- {line['title']}: {name} found {shown}\n"
    return text


def short(lines):
    """A row for each of our ways to do a work: all peers, ours, and the limit."""
    table = []
    for line in lines:
        of = {kind: [(name, one) for name, one in line["measured"].items() if one["role"] == kind] for kind in ("peer", "ours", "limit")}
        peers = {name: (one["cpu_seconds"]["best"], one["peak_mib"]["most"]) for name, one in of["peer"]}
        peers.update({name: (value, None) for name, value in line["quoted"].items()})
        least = min((value for value, _ in peers.values()), default=None)
        for name, ours in of["ours"]:
            own = ours["cpu_seconds"]["best"]
            limit = [f"{kind.removeprefix('limit: ')} {measure.figure(one['cpu_seconds']['best'])}" for kind, one in of["limit"]]
            theirs = ", ".join(f"{peer} {measure.figure(value)}" for peer, (value, _) in peers.items())
            memory = ", ".join(f"{peak:.0f}" for _, peak in peers.values() if peak)
            table.append([
                line["title"], theirs or "–", f"{name.removeprefix('ours, ')} {measure.figure(own)}", ", ".join(limit) or "–",
                f"{least / own:.1f}" if least else "–", memory or "–", f"{ours['peak_mib']['most']:.0f}",
            ])
    head = ["work", "peers, CPU s", "ours, CPU s", "limit, CPU s", "times ahead", "peers, MiB", "ours, MiB"]
    return measure.markdown(head, table)
