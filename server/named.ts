const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** A plugin that says its name; of one that does not, Fastify looks for it among all modules that are loaded. */
export function named<Plugin extends { name: string }>(plugin: Plugin): Plugin {
  if (!Object.hasOwn(plugin, DISPLAY_NAME)) Object.defineProperty(plugin, DISPLAY_NAME, { value: plugin.name })
  return plugin
}
