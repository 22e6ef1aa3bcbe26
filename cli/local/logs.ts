import type { Log } from '../../core/logs/log.ts'
import { quotaDisplay } from '../../core/logs/quota-display.ts'
import { translateRemarks } from '../../core/logs/remarks.ts'
import type { Language } from '../../core/messages/language.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'

/** Returns the log operations with remarks translated to the reader's language, as a server translates remarks. */
export function localLogs(
  { logs, teams, options }: LocalToolkit,
  language: Language,
): Pick<LocalToolkit, 'logs' | 'teams'> {
  const display = quotaDisplay(options)
  const translate = <Row extends Parameters<typeof translateRemarks>[0]>(row: Row) =>
    translateRemarks(row, language, display)
  const translateItems = <Items extends { readonly items: readonly Log[] }>(page: Items): Items => ({
    ...page,
    items: page.items.map(translate),
  })
  const translateReceipt = <Part extends { readonly log: Log }>(receipt: Part): Part => ({
    ...receipt,
    log: translate(receipt.log),
  })
  return {
    logs: {
      ...logs,
      get: async (actor, id) => translate(await logs.get(actor, id)),
      search: async (actor, keyword) => (await logs.search(actor, keyword)).map(translate),
      ofKey: async (key, address) => (await logs.ofKey(key, address)).map(translate),
      receipt: async (actor, id) => translateReceipt(await logs.receipt(actor, id)),
      async trace(actor, requestId) {
        const { receipt, ...trace } = await logs.trace(actor, requestId)
        return receipt ? { ...trace, receipt: translateReceipt(receipt) } : trace
      },
      list: async (actor, filter) => translateItems(await logs.list(actor, filter)),
      follow: async (actor, filter, from) => translateItems(await logs.follow(actor, filter, from)),
      async *scan(actor, filter) {
        for await (const rows of logs.scan(actor, filter)) yield rows.map(translate)
      },
    },
    teams: {
      ...teams,
      usage: {
        ...teams.usage,
        logs: async (actor, id, filter) => translateItems(await teams.usage.logs(actor, id, filter)),
      },
    },
  }
}
