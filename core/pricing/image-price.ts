import { BY_USAGE, NEUTRAL, type Price } from './price.ts'

/** Dollars per image of a model with a ratio but no price per call: ratio 16 is 4 cents. */
const IMAGE_DOLLARS_AT_RATIO_ONE = 0.0025

/**
 * Returns the price of an image request: a price per call, `factor` times the list price. Without a price per call it is derived
 * from the ratio; the caller decides between this price and reported tokens.
 */
export function imagePrice(price: Price, factor: number): Price {
  const { modelPrice, modelRatio } = price
  const one = modelPrice === BY_USAGE ? IMAGE_DOLLARS_AT_RATIO_ONE * modelRatio : modelPrice
  return { ...price, ...NEUTRAL, modelPrice: one * factor }
}
