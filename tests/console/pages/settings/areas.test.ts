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

test('every option of the server has a field, and only one', () => {
  const more = operationAreas(listed).find(({ name }) => name === 'more')?.fields ?? []
  const keys = [...placed, ...more].map(({ key }) => key)

  expect(keys.toSorted()).toEqual(Object.keys(OPTIONS).toSorted())
})

test('a secret of the server is a secret here, and nothing else is', () => {
  const secrets = (options: readonly { key: string }[]) => options.map(({ key }) => key).toSorted()

  expect(secrets(placed.filter(({ kind }) => kind === 'secret'))).toEqual(
    secrets(Object.values(OPTIONS).filter(({ secret }) => secret)),
  )
})

test('what is JSON to the server is edited as JSON, and a switch is a switch', () => {
  for (const { key, kind } of placed) {
    const { type } = OPTIONS[key]
    expect(kind === 'json', key).toBe(type === 'json')
    expect(kind === 'switch', key).toBe(type === 'boolean')
  }
})

test('a switch rests on at least what the server asks for', () => {
  for (const { key, needs } of placed) {
    const { requires = [] } = OPTIONS[key]
    expect(needs?.keys ?? [], key).toEqual(expect.arrayContaining([...requires]))
  }
})

test('an option that this console does not know is found under more', () => {
  const more = operationAreas({ ...listed, NewLimit: '5', NewSwitchEnabled: 'false' }).at(-1)

  expect(more?.fields).toEqual(
    expect.arrayContaining([
      { key: 'NewLimit', kind: 'text' },
      { key: 'NewSwitchEnabled', kind: 'switch' },
    ]),
  )
})

test('a whole number can be as low here as the server takes it, and no lower', () => {
  for (const { key, min = 0 } of placed.filter(({ kind }) => kind === 'integer' || kind === 'quota')) {
    const check = OPTIONS[key].checkEffect ?? OPTIONS[key].check
    expect(() => check(String(min)), key).not.toThrow()
    expect(() => check(String(min - 1)), key).toThrow()
  }
})

test('a number may be left out here exactly where leaving it out is a value of its own, and not the default', () => {
  for (const { key, kind, optional = false } of placed) {
    if (kind !== 'integer' && kind !== 'number' && kind !== 'quota') continue
    if (optional) expect(OPTIONS[key].check(''), key).toBe('')
    else expect(OPTIONS[key].check(''), key).toBe(OPTIONS[key].default)
  }
})
