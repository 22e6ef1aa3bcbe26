import { expect, test } from 'vitest'
import { withComponents } from '../../../server/api/components.ts'

const USER = { title: 'User', type: 'object', properties: { id: { type: 'integer' } } }
const documentOf = (...schemas: object[]) => ({ paths: { '/': { get: { responses: schemas } } } })

test('refers to a schema with a title, and keeps the description of each place', () => {
  const { paths, components } = withComponents(documentOf(USER, { ...USER, description: 'the owner' })) as {
    paths: object
    components?: object
  }

  expect(paths).toEqual(
    documentOf({ $ref: '#/components/schemas/User' }, { $ref: '#/components/schemas/User', description: 'the owner' })
      .paths,
  )
  expect(components).toEqual({ schemas: { User: USER } })
})

test('keeps a field named title', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' }, properties: { type: 'string' } } }

  expect(withComponents(documentOf(schema)).paths).toEqual(documentOf(schema).paths)
})

test('rejects two schemas with one title', () => {
  const other = { ...USER, properties: { id: { type: 'string' } } }

  expect(() => withComponents(documentOf(USER, other))).toThrow('two schemas have the title User')
})
