import type { TFunction } from 'i18next'
import type { LogRow } from '../../api/logs.ts'
import type { LogDetails } from './log-details.ts'
import { exactDollars, type RowPrice } from './price.ts'

/** Returns the computation of a price as text. */
export function priceComputationText(t: TFunction, price: RowPrice): string {
  const total = exactDollars(price.total)
  const group = price.groupRatio
  const tools = price.tools.map((call) => t('log.price.tool', { ...call, price: exactDollars(call.price) }))
  if ('perCall' in price && tools.length === 0) {
    return t('log.price.call', { price: exactDollars(price.perCall), group, total })
  }
  const tokens =
    'perCall' in price
      ? [exactDollars(price.perCall)]
      : price.parts.map(({ kind, tokens, perMillion }) =>
          t('log.price.part', { kind: t(`log.price.kind.${kind}`), tokens, price: exactDollars(perMillion) }),
        )
  const parts = [...tokens, ...tools]
  const sum = parts.join(' + ')
  return t('log.price.sum', { parts: parts.length > 1 ? `(${sum})` : sum, group, total })
}

/** Returns the price per call or the ratios of a row on one line. Returns the row's content if the row has neither. */
export function summaryText(t: TFunction, row: Pick<LogRow, 'content'>, details: LogDetails): string {
  const { modelPrice, modelRatio, completionRatio = 1, groupRatio = 1 } = details
  if (modelPrice !== undefined) return t('log.price.perCall', { price: exactDollars(modelPrice), group: groupRatio })
  if (modelRatio === undefined) return row.content
  return t('log.price.ratios', { model: modelRatio, completion: completionRatio, group: groupRatio })
}
