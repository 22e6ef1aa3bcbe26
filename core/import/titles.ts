import type { Product } from './report.ts'

/** Returns a product's name as the product itself writes it. */
export const titleOf = (product: Product): string => (product === 'litellm' ? 'LiteLLM' : product)
