import { ConfigurationDocument } from '../../core/configuration/schema.ts'

/** Returns the JSON Schema of configuration files. */
export function configurationSchema(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ConfigurationDocument }
  return `${JSON.stringify(schema, null, 2)}\n`
}
