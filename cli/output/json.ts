import { isRecord } from '../../core/records.ts'

/** Fields that come first. Other fields are sorted, because databases and servers return fields in different orders. */
const FIRST_FIELDS = ['id', 'key', 'name', 'username']
const rank = (name: string) => (FIRST_FIELDS.indexOf(name) + FIRST_FIELDS.length + 1) % (FIRST_FIELDS.length + 1)

/** Returns JSON with sorted names, so that the same record is the same text from any source. */
export function jsonText(data: unknown, indent?: number): string {
  return JSON.stringify(data, (_, value: unknown) => (isRecord(value) ? sortFields(value) : value), indent)
}

function sortFields(record: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(record)
  return Object.fromEntries(
    names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((name) => [name, record[name]]),
  )
}
