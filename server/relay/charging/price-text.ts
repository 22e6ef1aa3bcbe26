import { BY_USAGE, type Price, type Usage } from '../../../core/pricing/prices.ts'

/** Cache of texts without audio. A price stays the same object until prices change. */
const plainTexts = new WeakMap<Price, string>()

/** Returns the content of a log row in the words of the documented API. `audio` adds the audio ratios. */
export function priceText(price: Price, { audio }: { audio: boolean }): string {
  if (audio) return writePrice(price, true)
  const known = plainTexts.get(price)
  if (known !== undefined) return known
  const text = writePrice(price, false)
  plainTexts.set(price, text)
  return text
}

function writePrice(price: Price, audio: boolean): string {
  const { modelPrice, modelRatio, completionRatio, audioRatio, audioCompletionRatio, groupRatio } = price
  const parts: [title: string, ratio: number][] =
    modelPrice === BY_USAGE
      ? [
          ['模型倍率', modelRatio],
          ['补全倍率', completionRatio],
          ...(audio
            ? ([
                ['音频倍率', audioRatio],
                ['音频补全倍率', audioCompletionRatio],
              ] as [string, number][])
            : []),
          ['分组倍率', groupRatio],
        ]
      : [
          ['模型价格', modelPrice],
          ['分组倍率', groupRatio],
        ]
  return parts.map(([title, ratio]) => `${title} ${ratioText(ratio)}`).join('，')
}

/**
 * Formats a ratio with all its digits and at least two decimals, as documented. With rounded ratios, readers could not
 * recompute the price.
 */
export function ratioText(ratio: number): string {
  const exact = String(Number(ratio.toPrecision(12)))
  return /^\d+(\.\d?)?$/.test(exact) ? ratio.toFixed(2) : exact
}

/** Whether the usage includes audio. */
export function usesAudio({ audioPromptTokens, audioCompletionTokens }: Usage): boolean {
  return audioPromptTokens > 0 || audioCompletionTokens > 0
}

/** Text that follows the content if the usage is zero. */
export const NOTHING_USED = '（可能是上游超时）'
