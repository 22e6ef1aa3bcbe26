const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** Sets the plugin's display name. Without it, Fastify searches all loaded modules for the plugin. */
export function named<Plugin extends { name: string }>(plugin: Plugin): Plugin {
  if (!Object.hasOwn(plugin, DISPLAY_NAME))
    Object.defineProperty(plugin, DISPLAY_NAME, { value: plugin.name || 'plugin' })
  return plugin
}
