import { describe, expect, test } from 'vitest'
import { type ApiClient, openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'
import { asyncTask, drawing } from '../../support/task-rows.ts'

const openGateway = reused()

const HUGE = '999999999999999'

async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  const [ann, bob] = [await fixture.user(), await fixture.user()]
  return { ...fixture, api, ann, bob, admin: await api.as(fixture.root), ownClient: await api.as(ann) }
}

const valuesOf = async (client: ApiClient, path: string, field: string): Promise<unknown[]> =>
  (await client.get(path)).body.data.map((row: Record<string, unknown>) => row[field])

/** Drawings a and c of Ann, and b of Bob, in this order. */
async function openDrawings() {
  const fixture = await open()
  await drawing(fixture.toolkit, { user_id: fixture.ann.id, mj_id: 'a', submit_time: 1000, channel_id: 7 })
  await drawing(fixture.toolkit, { user_id: fixture.bob.id, mj_id: 'b', submit_time: 2000, channel_id: 8 })
  await drawing(fixture.toolkit, { user_id: fixture.ann.id, mj_id: 'c', submit_time: 3000, channel_id: 8 })
  const mj = (path: string, client = fixture.admin) => valuesOf(client, path, 'mj_id')
  return { ...fixture, mj }
}

const FORWARDED = expect.stringMatching(/^http:\/\/localhost:3000\/mj\/image\/x%2F1\?signature=[0-9a-f]{32}$/)
const DRAWING = {
  code: 1,
  action: 'IMAGINE',
  mj_id: 'x/1',
  prompt: 'a cat',
  prompt_en: 'a cat',
  description: 'Submit success',
  state: '',
  submit_time: 1_700_000_000_123,
  start_time: 1_700_000_001_000,
  finish_time: 0,
  image_url: 'https://cdn.example/x.png',
  status: 'IN_PROGRESS',
  progress: '50%',
  fail_reason: '',
  channel_id: 7,
  quota: 500,
  buttons: '[]',
  properties: '{"notifyHook":""}',
}

describe('GET /api/mj/', () => {
  test('returns an array of drawings with every documented field, JSON texts as texts', async () => {
    const { admin, toolkit, ann } = await open()
    await drawing(toolkit, { ...DRAWING, user_id: ann.id, token_id: 3 })

    const { body } = await admin.get('/api/mj/?p=0')

    expect(body).toEqual({
      success: true,
      message: '',
      data: [{ id: expect.any(Number), user_id: ann.id, ...DRAWING, image_url: FORWARDED }],
    })
  })

  test('links pictures via this gateway if its address is set, else as stored', async () => {
    const { admin, toolkit, root, ann } = await open()
    await drawing(toolkit, { ...DRAWING, user_id: ann.id })
    await drawing(toolkit, { ...DRAWING, image_url: '', user_id: ann.id })

    expect(await valuesOf(admin, '/api/mj/', 'image_url')).toEqual(['', FORWARDED])
    await toolkit.options.set(root, 'ServerAddress', 'https://gateway.example')
    expect(await valuesOf(admin, '/api/mj/', 'image_url')).toEqual([
      '',
      expect.stringMatching(/^https:\/\/gateway\.example\/mj\/image\/x%2F1\?signature=[0-9a-f]{32}$/),
    ])
    await toolkit.options.set(root, 'MjForwardUrlEnabled', 'false')
    expect(await valuesOf(admin, '/api/mj/', 'image_url')).toEqual(['', DRAWING.image_url])
  })

  test('filters by id, channel and milliseconds, newest first', async () => {
    const { mj } = await openDrawings()

    expect(await mj('/api/mj/')).toEqual(['c', 'b', 'a'])
    expect(await mj('/api/mj/?mj_id=b')).toEqual(['b'])
    expect(await mj('/api/mj/?mj_id=%25')).toEqual([])
    expect(await mj('/api/mj/?channel_id=8')).toEqual(['c', 'b'])
    expect(await mj('/api/mj/?start_timestamp=2000&end_timestamp=3000')).toEqual(['c', 'b'])
    expect(await mj('/api/mj/?end_timestamp=1999')).toEqual(['a'])
    expect(await mj('/api/mj/?channel_id=&mj_id=&start_timestamp=NaN&end_timestamp=')).toEqual(['c', 'b', 'a'])
    expect(await mj(`/api/mj/?start_timestamp=${HUGE}`)).toEqual([])
  })

  test('has ten rows per page, from page 0', async () => {
    const { admin, toolkit, ann } = await open()
    for (let at = 0; at < 12; at++) await drawing(toolkit, { user_id: ann.id, mj_id: String(at) })
    const lengthOf = async (p: string) => (await admin.get(`/api/mj/?p=${p}&page_size=100`)).body.data.length

    expect(await Promise.all(['0', '1', '2', '-1', 'x', HUGE].map(lengthOf))).toEqual([10, 2, 0, 10, 10, 0])
  })

  test('rejects a channel beyond the column range', async () => {
    const { admin } = await open()
    expect((await admin.get('/api/mj/?channel_id=99999999999')).body).toMatchObject({
      success: false,
      message: expect.stringContaining('channel_id'),
    })
  })
})

describe('GET /api/mj/self', () => {
  test("shows only the user's drawings, with their channel, for administrators too", async () => {
    const { mj, ownClient, api, bob, admin } = await openDrawings()

    expect(await mj('/api/mj/self/?p=0', ownClient)).toEqual(['c', 'a'])
    expect(await valuesOf(ownClient, '/api/mj/self', 'channel_id')).toEqual([8, 7])
    expect(await mj(`/api/mj/self?user_id=${bob.id}&channel_id=9`, ownClient)).toEqual(['c', 'a'])
    expect(await mj('/api/mj/self?mj_id=b', ownClient)).toEqual([])
    expect(await mj('/api/mj/self', await api.as(bob))).toEqual(['b'])
    expect(await mj('/api/mj/self', admin)).toEqual([])
  })
})

/** Tasks a and c of Ann, and b of Bob, in this order. */
async function openTasks() {
  const fixture = await open()
  const { toolkit, ann, bob } = fixture
  const songs = { platform: 'suno', action: 'MUSIC', status: 'SUCCESS' }
  await asyncTask(toolkit, { ...songs, user_id: ann.id, task_id: 'a', submit_time: 10, channel_id: 7 })
  await asyncTask(toolkit, {
    ...songs,
    user_id: bob.id,
    task_id: 'b',
    submit_time: 20,
    channel_id: 8,
    action: 'LYRICS',
  })
  await asyncTask(toolkit, {
    ...songs,
    user_id: ann.id,
    task_id: 'c',
    submit_time: 30,
    channel_id: 8,
    status: 'FAILURE',
  })
  const ids = (path: string, client = fixture.admin) => valuesOf(client, path, 'task_id')
  return { ...fixture, ids }
}

describe('GET /api/task/', () => {
  test('returns an array of tasks with every documented field; properties and data are JSON', async () => {
    const { admin, toolkit, ann } = await open()
    const row = {
      created_at: 1,
      updated_at: 2,
      task_id: 't-1',
      platform: 'suno',
      user_id: ann.id,
      channel_id: 7,
      quota: 500,
      action: 'MUSIC',
      status: 'SUCCESS',
      fail_reason: '',
      submit_time: 3,
      start_time: 4,
      finish_time: 5,
      progress: '100%',
    }
    const [properties, data] = [{ input: 'a song' }, [{ clip: 1, url: null }]]
    await asyncTask(toolkit, { ...row, properties: JSON.stringify(properties), data: JSON.stringify(data) })

    const { body } = await admin.get('/api/task/?p=0')

    expect(body).toEqual({ success: true, message: '', data: [{ id: expect.any(Number), ...row, properties, data }] })
  })

  test.each([
    ['', null],
    ['[]', ''],
    ['"text"', 'null'],
    ['{"input":', '{"half":'],
  ])('returns an object and null for properties %j and data %j', async (properties, data) => {
    const { admin, toolkit, ann } = await open()
    await asyncTask(toolkit, { user_id: ann.id, properties, data })

    const [task] = (await admin.get('/api/task/')).body.data
    expect(task).toMatchObject({ properties: { input: '' }, data: null, progress: '' })
  })

  test('applies each filter, newest first', async () => {
    const { ids } = await openTasks()

    expect(await ids('/api/task/')).toEqual(['c', 'b', 'a'])
    expect(await ids('/api/task/?task_id=b')).toEqual(['b'])
    expect(await ids('/api/task/?platform=suno')).toEqual(['c', 'b', 'a'])
    expect(await ids('/api/task/?platform=other')).toEqual([])
    expect(await ids('/api/task/?status=FAILURE')).toEqual(['c'])
    expect(await ids('/api/task/?action=LYRICS')).toEqual(['b'])
    expect(await ids('/api/task/?channel_id=8')).toEqual(['c', 'b'])
    expect(await ids('/api/task/?start_timestamp=20&end_timestamp=20')).toEqual(['b'])
    expect(await ids('/api/task/?channel_id=&start_timestamp=NaN&end_timestamp=0')).toEqual(['c', 'b', 'a'])
  })

  test('has ten rows per page, from page 0', async () => {
    const { admin, toolkit, ann } = await open()
    for (let at = 0; at < 12; at++) await asyncTask(toolkit, { user_id: ann.id, task_id: String(at) })
    const lengthOf = async (p: string) => (await admin.get(`/api/task/?p=${p}`)).body.data.length

    expect(await Promise.all(['0', '1', '2', '-1', '', HUGE].map(lengthOf))).toEqual([10, 2, 0, 10, 10, 0])
  })
})

describe('GET /api/task/self', () => {
  test("shows only the user's tasks, without their channel, for administrators too", async () => {
    const { ids, ownClient, admin, bob } = await openTasks()

    expect(await ids('/api/task/self?p=0', ownClient)).toEqual(['c', 'a'])
    expect(await valuesOf(ownClient, '/api/task/self', 'channel_id')).toEqual([0, 0])
    expect(await ids(`/api/task/self?user_id=${bob.id}&channel_id=7`, ownClient)).toEqual(['c', 'a'])
    expect(await ids('/api/task/self?task_id=b', ownClient)).toEqual([])
    expect(await ids('/api/task/self', admin)).toEqual([])
  })
})

describe.each([
  ['GET /api/mj/page', 'GET /api/mj/self/page', 'GET /api/mj/:id', 'GET /api/mj/self/:id'],
  ['GET /api/task/page', 'GET /api/task/self/page', 'GET /api/task/:id', 'GET /api/task/self/:id'],
])('%s', (call) => {
  const kind = call.includes('/mj/') ? 'mj' : 'task'

  async function openRows() {
    const fixture = await open()
    const add = kind === 'mj' ? drawing : asyncTask
    const name = kind === 'mj' ? 'mj_id' : 'task_id'
    for (const [at, user] of [fixture.ann, fixture.bob, fixture.ann].entries()) {
      await add(fixture.toolkit, { user_id: user.id, [name]: `row ${at + 1}`, channel_id: 7, status: 'SUCCESS' })
    }
    const ids = async (client: ApiClient, path: string) => {
      const { items, total } = (await client.get(`/api/${kind}${path}`)).body.data
      return [items.map((row: Record<string, unknown>) => row[name]), total]
    }
    return { ...fixture, ids, name }
  }

  test("have totals and filters: all users' for administrators, the user's own below /self", async () => {
    const { admin, ownClient, bob, ids } = await openRows()
    expect(await ids(admin, '/page?p=2&page_size=2')).toEqual([['row 1'], 3])
    expect(await ids(admin, `/page?user_id=${bob.id}&status=SUCCESS`)).toEqual([['row 2'], 1])
    expect(await ids(admin, '/page?status=FAILURE')).toEqual([[], 0])
    expect(await ids(ownClient, `/self/page?user_id=${bob.id}`)).toEqual([['row 3', 'row 1'], 2])
    expect((await ownClient.get(`/api/${kind}/page`)).body.success).toBe(false)
  })

  test('one row is found by its id; rows of others only by administrators', async () => {
    const { admin, ownClient, name } = await openRows()
    expect((await admin.get(`/api/${kind}/2`)).body.data).toMatchObject({ [name]: 'row 2', channel_id: 7 })
    expect((await ownClient.get(`/api/${kind}/self/1`)).body.data).toMatchObject({ [name]: 'row 1' })
    const [others, none] = [await ownClient.get(`/api/${kind}/self/2`), await ownClient.get(`/api/${kind}/self/99`)]
    expect(String(others.body.message).replace('2', '99')).toBe(none.body.message)
    expect((await ownClient.get(`/api/${kind}/2`)).body.success).toBe(false)
  })
})
