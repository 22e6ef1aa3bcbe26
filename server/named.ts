const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** Gives a plugin a display name; otherwise Fastify searches all loaded modules for one. */
export function named<Plugin extends { name: string }>(plugin: Plugin): Plugin {
  if (!Object.hasOwn(plugin, DISPLAY_NAME))
    Object.defineProperty(plugin, DISPLAY_NAME, { value: plugin.name || 'plugin' })
  return plugin
}
