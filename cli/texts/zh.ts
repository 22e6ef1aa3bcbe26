import type { Catalogue } from '../texts.ts'
import { account } from './zh/account.ts'
import { chat } from './zh/chat.ts'
import { general } from './zh/general.ts'
import { option } from './zh/option.ts'
import { pricing } from './zh/pricing.ts'
import { server } from './zh/server.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = { ...general, ...account, ...server, ...user, ...wallet, ...option, ...pricing, ...chat }
