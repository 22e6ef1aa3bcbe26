import type { TestToolkit } from './toolkit.ts'

/** Stores options without validation, like an import. */
export async function importOptions({ toolkit, root }: TestToolkit, values: Record<string, string>): Promise<void> {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await toolkit.db.transaction((trx) => trx('options').insert(rows).onConflict('key').merge(['value']))
  // Any change reloads all options.
  await toolkit.options.set(root, 'Footer', '')
}
