import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml'

/** A YAML file of a configuration. `offsets`: the index of the file's first item in each list of the whole document. */
export interface ReadFile {
  file: string
  document: Document
  lines: LineCounter
  offsets: Record<string, number>
}

/** Finds the place of a path such as `limits.2` in the files: `gateway.yaml:12`. */
export function fileLineOf(files: readonly ReadFile[], path: string): string | undefined {
  for (const { file, document, lines, offsets } of files) {
    const position = positionOf(document.contents, path, offsets)
    if (position !== undefined) return `${file}:${lines.linePos(position).line}`
  }
  return undefined
}

/** Returns the position in the file's text at which the entry of a path begins. Names may contain dots. */
function positionOf(
  node: unknown,
  path: string,
  offsets: Readonly<Record<string, number>> = {},
  parent = '',
): number | undefined {
  if (isSeq(node)) {
    const [, index = '', rest = ''] = /^(\d+)(?:\.(.*))?$/.exec(path) ?? []
    const item = node.items[Number(index) - (offsets[parent] ?? 0)]
    if (index === '' || !isNode(item)) return undefined
    return (rest === '' ? undefined : positionOf(item, rest)) ?? item.range?.[0]
  }
  if (!isMap(node)) return undefined
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : undefined
    if (name === undefined || (path !== name && !path.startsWith(`${name}.`))) continue
    const position = isScalar(key) ? key.range?.[0] : undefined
    if (path === name) return position
    const inside = positionOf(value, path.slice(name.length + 1), offsets, name)
    // Each file may have a part of a list, so an item that is missing here is in another file.
    return inside ?? (isSeq(value) ? undefined : position)
  }
  return undefined
}
