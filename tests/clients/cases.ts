const STREAMED = ', streamed'

/**
 * Returns a client's cases as one text. `remarks` has the remark on each case by its name; '' = none. A case with `+` also
 * ran streamed, with the same remark. Prefixes (`openai: text`) with the same cases share them.
 */
export function casesText(remarks: ReadonlyMap<string, string>): string {
  const casesByPrefix = new Map<string, string[]>()
  for (const [name, remark] of remarks) {
    if (name.endsWith(STREAMED) && remarks.get(name.slice(0, -STREAMED.length)) === remark) continue
    const mark = remarks.get(name + STREAMED) === remark ? '+' : ''
    const [, prefix = '', rest = name] = /^(.*?): (.*)$/.exec(name) ?? []
    casesByPrefix.set(prefix, [...(casesByPrefix.get(prefix) ?? []), `${rest}${mark}${remark}`])
  }
  const prefixesByCases = new Map<string, string[]>()
  for (const [prefix, cases] of casesByPrefix) {
    const text = cases.join('; ')
    prefixesByCases.set(text, [...(prefixesByCases.get(text) ?? []), prefix])
  }
  return [...prefixesByCases]
    .map(([text, prefixes]) => (prefixes.join('') === '' ? text : `${prefixes.join(' / ')}: ${text}`))
    .join('; ')
}
