import { receiptFields } from '../../core/logs/receipt.ts'
import { chargeQuota, type Usage } from '../../core/pricing/prices.ts'
import { seeded } from './seeded.ts'
import { asyncTask, drawing } from './task-rows.ts'
import { bill, type Person, type TestToolkit } from './toolkit.ts'

const HOUR_S = 3600
const DAY_S = 86_400
const MODELS = ['gpt-4o-mini', 'gpt-4o', 'claude-3-5-sonnet-20241022', 'deepseek-chat', 'gemini-1.5-flash-latest']

export interface SeedData {
  /** A customer with keys, spending, drawings and music. */
  alice: Person
  admin: Person
}

/** Fills a gateway with data of some days of use: every screen of the console has data in every state. */
export async function seedData(fixture: TestToolkit, { relays = 60, days = 4 } = {}): Promise<SeedData> {
  const { toolkit, root } = fixture
  const now = Math.floor(Date.now() / 1000)
  const admin = await fixture.user({ username: 'operator', display_name: 'Olivia', role: 10, quota: 5_000_000 })
  const alice = await fixture.user({ username: 'alice', display_name: 'Alice', quota: 25_000_000 })
  for (const [username, display_name, quota] of [
    ['bob', 'Bob', 5_000_000],
    ['carol', 'Carol', 1_000_000],
    ['dave', 'Dave', 0],
  ] as const) {
    await fixture.user({ username, display_name, quota })
  }
  const channels = await seedChannels(fixture, now)
  await seedTokens(fixture, alice, now)
  await furnishCodes(fixture)

  let clock = now - days * DAY_S
  const then = await fixture.another({ now: () => clock })
  const random = seeded(7)
  for (const owner of [alice, root]) await fixture.token(owner, { name: 'web-app' })
  for (let relay = 0; relay < relays; relay++) {
    clock += Math.floor((days * DAY_S - HOUR_S) / relays)
    const modelName = MODELS[Math.floor(random() ** 2 * MODELS.length)] ?? 'gpt-4o'
    const price = await toolkit.pricing.find({ model: modelName, group: 'default' })
    if (!price) throw new Error(`${modelName} has no price`)
    const usage: Usage = {
      promptTokens: 200 + Math.floor(random() * 4000),
      completionTokens: 50 + Math.floor(random() * 1500),
      cachedTokens: 0,
      cacheWriteTokens: 0,
      cacheWriteHourTokens: 0,
      audioPromptTokens: 0,
      audioCompletionTokens: 0,
      reasoningTokens: 0,
    }
    const isStream = random() < 0.7
    const payer = random() < 0.6 ? alice : root
    const charge = bill(payer, {
      ...usage,
      modelName,
      quota: chargeQuota(price, usage),
      tokenName: 'web-app',
      channelId: channels[relay % channels.length] ?? 1,
      useTimeSeconds: relay % 17 === 0 ? 180 : Math.ceil(random() * 20),
      isStream,
      other: JSON.stringify({
        ...receiptFields(price, usage),
        frt: isStream ? Math.round(300 + random() * 5000) : -1000,
        admin_info: { use_channel: relay % 9 === 0 ? ['2', '1'] : ['1'] },
      }),
    })
    const hold = await then.ledger.hold({ userId: payer.id, budgetTokenId: 0, quota: charge.quota })
    await then.ledger.settle(hold, charge)
  }
  await then.close()
  await furnishTasks(fixture, alice, now)
  return { alice, admin }
}

async function seedChannels({ toolkit, channel }: TestToolkit, now: number): Promise<number[]> {
  const rows = [
    { name: 'openai-main', type: 1, models: 'gpt-4o,gpt-4o-mini,o3-mini', tag: 'openai', priority: 10, weight: 5 },
    { name: 'openai-backup', type: 1, models: 'gpt-4o,gpt-4o-mini', tag: 'openai', priority: 0, weight: 1 },
    { name: 'anthropic', type: 14, models: 'claude-3-5-sonnet-20241022,claude-3-5-haiku-20241022', priority: 5 },
    { name: 'deepseek', type: 43, models: 'deepseek-chat,deepseek-reasoner', group: 'default,vip' },
    { name: 'gemini', type: 24, models: 'gemini-1.5-flash-latest,gemini-1.5-pro-latest', tag: 'google' },
    { name: 'old-account', type: 1, models: 'gpt-3.5-turbo' },
    { name: 'expired-account', type: 14, models: 'claude-3-opus-20240229' },
  ]
  const ids: number[] = []
  for (const row of rows) ids.push((await channel({ ...row, base_url: 'http://127.0.0.1:9' })).id)
  const measured = [420, 2100, 4300, 7800, 0, 900, 0]
  await toolkit.db.transaction(async (trx) => {
    for (const [place, response_time] of measured.entries()) {
      const reason = { status_reason: 'Your credit balance is too low', status_time: now - HOUR_S }
      const status = place === 5 ? { status: 2 } : place === 6 ? { status: 3, other_info: JSON.stringify(reason) } : {}
      await trx('channels')
        .where({ id: ids[place] })
        .update({ response_time, test_time: response_time && now - HOUR_S, balance: 12.5 * place, ...status })
    }
  })
  return ids.slice(0, 5)
}

async function seedTokens({ token, toolkit }: TestToolkit, owner: Person, now: number): Promise<void> {
  await token(owner, { name: 'notebook', unlimited_quota: false, remain_quota: 2_500_000 })
  await token(owner, { name: 'ci', model_limits_enabled: true, model_limits: 'gpt-4o-mini', expired_time: now + DAY_S })
  const off = await token(owner, { name: 'old-laptop' })
  await toolkit.tokens.setStatus(owner, off.id, 2)
}

async function furnishCodes({ toolkit, root, user }: TestToolkit): Promise<void> {
  const codes = await toolkit.redemption.create(root, { name: 'welcome', quota: 500_000, count: 5 })
  const guest = await user({ username: 'erin', display_name: 'Erin' })
  if (codes[0]) await toolkit.redemption.redeem(guest, codes[0])
  await toolkit.redemption.create(root, { name: 'conference', quota: 5_000_000, count: 3 })
}

async function furnishTasks({ toolkit }: TestToolkit, owner: Person, now: number): Promise<void> {
  const states = ['SUCCESS', 'IN_PROGRESS', 'FAILURE', 'SUBMITTED', 'NOT_START'] as const
  const actions = ['IMAGINE', 'UPSCALE', 'DESCRIBE', 'ZOOM', 'VARIATION'] as const
  for (const [place, status] of states.entries()) {
    const submitted = now - (place + 1) * HOUR_S
    await drawing(toolkit, {
      user_id: owner.id,
      mj_id: `172000000000${place}`,
      code: place === 3 ? 22 : 1,
      action: actions[place],
      prompt: 'a lighthouse above the clouds, wide angle --ar 16:9',
      prompt_en: 'a lighthouse above the clouds, wide angle --ar 16:9',
      status,
      progress: status === 'SUCCESS' ? '100%' : status === 'IN_PROGRESS' ? '45%' : '0%',
      fail_reason: status === 'FAILURE' ? 'The prompt was refused by the moderator' : '',
      submit_time: submitted * 1000,
      start_time: (submitted + 2) * 1000,
      finish_time: status === 'SUCCESS' ? (submitted + 42) * 1000 : 0,
      channel_id: 1,
    })
    await asyncTask(toolkit, {
      user_id: owner.id,
      task_id: `5d1c7b1e-0000-4000-8000-00000000000${place}`,
      platform: 'suno',
      action: place % 2 ? 'LYRICS' : 'MUSIC',
      status,
      progress: status === 'SUCCESS' ? '100%' : status === 'IN_PROGRESS' ? '30%' : '0%',
      fail_reason: status === 'FAILURE' ? 'The lyrics were refused' : '',
      submit_time: now - place * 600,
      start_time: now - place * 600 + 3,
      finish_time: status === 'SUCCESS' ? now - place * 600 + 95 : 0,
      created_at: now - place * 600,
      channel_id: 1,
    })
  }
}
