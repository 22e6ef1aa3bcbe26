import type { Product } from './report.ts'

/** How a product writes its own name. */
export const titleOf = (product: Product): string => (product === 'litellm' ? 'LiteLLM' : product)
