import type { TestToolkit } from './toolkit.ts'

/** Stores options as an import does: whatever they say. */
export async function importOptions({ toolkit, root }: TestToolkit, values: Record<string, string>): Promise<void> {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await toolkit.db.transaction((trx) => trx('options').insert(rows).onConflict('key').merge(['value']))
  // Any change has all of them read again.
  await toolkit.options.set(root, 'Footer', '')
}
