import type { Json } from '../../server/relay/json.ts'

/** Unexpected values that JSON can contain. */
const VALUES: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e308', '9007199254740993', '""', '" "', '"x"', '[]', '{}'],
  ...['[[]]', '[null]', '[{}]', '["x"]', '[1]', '[{"type":{}}]', '{"x":1}', '{"text":{}}', '{"type":"text"}'],
  ...['{"toString":1}', '{"toString":1,"valueOf":1}', '[{"toString":1}]', '{"__proto__":1}', '{"toJSON":1}'],
  ...['{"length":1}', '{"type":{"toString":1}}', '{"type":"constructor"}', '{"type":"__proto__","text":1}'],
  ...['"constructor"', '"__proto__"', '"hasOwnProperty"', '"toString"', '"\\ud800"', '"\\u0000"', '"%"'],
  ...['"data:"', '"data:;base64,!"', '"data:image/png,%"', '"https://["', '"https://x.example/a"', '"{"', '"[1]"'],
]

/** Creates copies of a JSON value with an unexpected value somewhere inside; deterministic for the same `random`. */
export function createSpoiler(random: () => number): (value: Json) => Json {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

  function places(value: unknown, into: [holder: Json, name: string][] = []): [holder: Json, name: string][] {
    if (typeof value !== 'object' || value === null) return into
    for (const name of Object.keys(value)) {
      into.push([value as Json, name])
      places((value as Json)[name], into)
    }
    return into
  }

  return (value) => {
    const copy = structuredClone(value)
    do {
      const [holder, name] = pick(places(copy))
      if (random() < 0.1 && !Array.isArray(holder)) delete holder[name]
      else holder[name] = JSON.parse(pick(VALUES))
    } while (random() < 0.3 && places(copy).length > 0)
    return copy
  }
}
