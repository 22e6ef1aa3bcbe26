import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ConfigurationDocument } from '../../core/configuration/schema.ts'

const FILE = fileURLToPath(new URL('../../docs/config.schema.json', import.meta.url))

test('docs/config.schema.json is the schema of configuration files (update it with --update)', async () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ConfigurationDocument }
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(FILE)
})
