import { type CoreTextId, textIn } from '../../../core/messages/texts.ts'
import { BY_USAGE, type Price, type Usage } from '../../../core/pricing/prices.ts'

/** Cache of texts without audio ratios. A price stays the same object until prices change. */
const plainTexts = new WeakMap<Price, string>()

/** Returns the content of a log row in the words of the documented API. `audio` adds the audio ratios. */
export function priceText(price: Price, { audio }: { audio: boolean }): string {
  if (audio) return writePrice(price, true)
  const cachedText = plainTexts.get(price)
  if (cachedText !== undefined) return cachedText
  const text = writePrice(price, false)
  plainTexts.set(price, text)
  return text
}

function writePrice(price: Price, audio: boolean): string {
  const { modelPrice, modelRatio, completionRatio, audioRatio, audioCompletionRatio, groupRatio } = price
  const audioParts: PricePart[] = [
    ['remark.audioRatio', audioRatio],
    ['remark.audioCompletionRatio', audioCompletionRatio],
  ]
  const parts: PricePart[] =
    modelPrice === BY_USAGE
      ? [
          ['remark.modelRatio', modelRatio],
          ['remark.completionRatio', completionRatio],
          ...(audio ? audioParts : []),
          ['remark.groupRatio', groupRatio],
        ]
      : [
          ['remark.modelPrice', modelPrice],
          ['remark.groupRatio', groupRatio],
        ]
  return joinParts(parts.map(([id, ratio]) => `${remark(id)} ${ratioText(ratio)}`))
}

type PricePart = [title: RemarkId, ratio: number]
type RemarkId = Extract<CoreTextId, `remark.${string}`>

/** Returns a text for a log row's content, stored in Chinese as documented. `translateRemarks` translates it. */
export const remark = (id: RemarkId, values?: { count: number }): string => textIn('zh', id, values)

export const joinParts = (parts: readonly string[]): string => parts.join(remark('remark.separator'))

/** Formats a ratio with at least two decimals, as documented. Does not round, so that the ratio explains the price. */
export function ratioText(ratio: number): string {
  const exact = String(Number(ratio.toPrecision(12)))
  return /^\d+(\.\d?)?$/.test(exact) ? ratio.toFixed(2) : exact
}

export function usesAudio({ audioPromptTokens, audioCompletionTokens }: Usage): boolean {
  return audioPromptTokens > 0 || audioCompletionTokens > 0
}
