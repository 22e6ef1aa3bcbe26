import operation from './en/operation.json'
import option from './en/option.json'
import system from './en/system.json'
import type { Catalogue } from './zh.ts'

export const enSettingsTexts: Pick<Catalogue, 'operation' | 'option' | 'system'> = { operation, option, system }
