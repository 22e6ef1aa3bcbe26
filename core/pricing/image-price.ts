import { BY_USAGE, NEUTRAL, type Price } from './price.ts'

/** Dollars for one image of a model that has a ratio and no price per call: ratio 16 is 4 cents. */
const IMAGE_DOLLARS_AT_RATIO_ONE = 0.0025

/**
 * The price of a request for images: a price per call, `factor` times what the list says. A model without a price per call
 * has one by its ratio; whether to use it, or the tokens that an upstream reported, is for the caller to say.
 */
export function imagePrice(price: Price, factor: number): Price {
  const { modelPrice, modelRatio } = price
  const one = modelPrice === BY_USAGE ? IMAGE_DOLLARS_AT_RATIO_ONE * modelRatio : modelPrice
  return { ...price, ...NEUTRAL, modelPrice: one * factor }
}
