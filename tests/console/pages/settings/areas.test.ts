import { expect, test } from 'vitest'
import { OPERATION_AREAS, operationAreas } from '../../../../console/pages/settings/operation/areas.ts'
import { OTHER_AREAS } from '../../../../console/pages/settings/other/areas.ts'
import { SYSTEM_AREAS } from '../../../../console/pages/settings/system/areas.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'

const placed = [...OPERATION_AREAS, ...SYSTEM_AREAS, ...OTHER_AREAS].flatMap(({ fields }) => fields)
const listed = Object.fromEntries(
  Object.values(OPTIONS)
    .filter(({ secret }) => !secret)
    .map((option) => [option.key, option.default]),
)

test('every server option has exactly one field', () => {
  const more = operationAreas(listed).find(({ name }) => name === 'more')?.fields ?? []
  const keys = [...placed, ...more].map(({ key }) => key)

  expect(keys.toSorted()).toEqual(Object.keys(OPTIONS).toSorted())
})

test('secrets of the server are secrets here, and no others', () => {
  const secrets = (options: readonly { key: string }[]) => options.map(({ key }) => key).toSorted()

  expect(secrets(placed.filter(({ kind }) => kind === 'secret'))).toEqual(
    secrets(Object.values(OPTIONS).filter(({ secret }) => secret)),
  )
})

test('JSON options are edited as JSON, and boolean options are switches', () => {
  for (const { key, kind } of placed) {
    const { type } = OPTIONS[key]
    expect(kind === 'json', key).toBe(type === 'json')
    expect(kind === 'switch', key).toBe(type === 'boolean')
  }
})

test('a switch has at least the prerequisites of the server', () => {
  for (const { key, needs } of placed) {
    const { requires = [] } = OPTIONS[key]
    expect(needs?.keys ?? [], key).toEqual(expect.arrayContaining([...requires]))
  }
})

test('an option unknown to this console is listed under "more"', () => {
  const more = operationAreas({ ...listed, NewLimit: '5', NewSwitchEnabled: 'false' }).at(-1)

  expect(more?.fields).toEqual(
    expect.arrayContaining([
      { key: 'NewLimit', kind: 'text' },
      { key: 'NewSwitchEnabled', kind: 'switch' },
    ]),
  )
})

test("a whole number has the server's minimum here", () => {
  for (const { key, min = 0 } of placed.filter(({ kind }) => kind === 'integer' || kind === 'quota')) {
    const check = OPTIONS[key].checkEffect ?? OPTIONS[key].check
    expect(() => check(String(min)), key).not.toThrow()
    expect(() => check(String(min - 1)), key).toThrow()
  }
})

test('a number can be empty only if the server treats empty as a value, not as the default', () => {
  for (const { key, kind, optional = false } of placed) {
    if (kind !== 'integer' && kind !== 'number' && kind !== 'quota') continue
    if (optional) expect(OPTIONS[key].check(''), key).toBe('')
    else expect(OPTIONS[key].check(''), key).toBe(OPTIONS[key].default)
  }
})
