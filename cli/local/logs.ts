import { quotaDisplay } from '../../core/logs/quota-display.ts'
import { readable } from '../../core/logs/remarks.ts'
import type { Language } from '../../core/messages/language.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'

/** Log rows with their remarks in the reader's language, as a server returns them. */
export function localLogs({ logs, options }: LocalToolkit, language: Language): LocalToolkit['logs'] {
  const display = quotaDisplay(options)
  const translate = <Row extends Parameters<typeof readable>[0]>(row: Row) => readable(row, language, display)
  return {
    ...logs,
    get: async (actor, id) => translate(await logs.get(actor, id)),
    search: async (actor, keyword) => (await logs.search(actor, keyword)).map(translate),
    ofKey: async (key, address) => (await logs.ofKey(key, address)).map(translate),
    async list(actor, filter) {
      const page = await logs.list(actor, filter)
      return { ...page, items: page.items.map(translate) }
    },
    async follow(actor, filter, from) {
      const followed = await logs.follow(actor, filter, from)
      return { ...followed, items: followed.items.map(translate) }
    },
    async *scan(actor, filter) {
      for await (const rows of logs.scan(actor, filter)) yield rows.map(translate)
    },
  }
}
