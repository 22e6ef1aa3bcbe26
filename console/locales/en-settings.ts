import { operation } from './en/operation.ts'
import { option } from './en/option.ts'
import { system } from './en/system.ts'
import type { Catalogue } from './zh.ts'

export const settings: Pick<Catalogue, 'operation' | 'option' | 'system'> = { operation, option, system }
