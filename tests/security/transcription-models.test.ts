import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { customer, MODEL, serve, setPrices } from '../support/gateway.ts'
import { onBoth } from '../support/toolkit.ts'

const ALLOWED = 'listed-transcriber'

/** An upstream that answers each event with how often it heard one. */
async function startUpstream() {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const heard: string[] = []
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      heard.push(String(data))
      socket.send('{"type":"session.updated"}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const ofConversation = (transcription: unknown) => ({
  type: 'session.update',
  session: { input_audio_transcription: transcription },
})

/** Each way to ask for a transcription. */
const EVENTS: readonly ((transcription: unknown) => object)[] = [
  ofConversation,
  (transcription) => ({ type: 'session.update', session: { audio: { input: { transcription } } } }),
  (transcription) => ({
    type: 'session.update',
    session: { type: 'transcription', audio: { input: { transcription } } },
  }),
  (transcription) => ({ type: 'transcription_session.update', session: { input_audio_transcription: transcription } }),
  (transcription) => ({ type: 'transcription_session.update', input_audio_transcription: transcription }),
  (transcription) => ({ type: 'session.update', session: { Input_Audio_Transcription: transcription } }),
]

onBoth('a key that is limited to models', (open) => {
  async function dial(models: string) {
    const upstream = await startUpstream()
    const fixture = await open()
    await setPrices(fixture)
    await fixture.channel({ base_url: upstream.url, models: MODEL })
    const { url } = await serve(fixture)
    const limits = models === '' ? {} : { model_limits_enabled: true, model_limits: models }
    const { key } = await customer(fixture, { token: limits })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?intent=transcription&model=${MODEL}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const send = async (event: object) => {
      socket.send(JSON.stringify(event))
      const [data] = await once(socket, 'message')
      const { type, error } = JSON.parse(String(data))
      return error?.code ?? type
    }
    return { send, heard: upstream.heard }
  }

  test('transcribes only with models of its list', async () => {
    const { send, heard } = await dial(`${MODEL},${ALLOWED}`)

    for (const event of EVENTS) {
      expect(await send(event({ model: 'dear-transcriber' }))).toBe('token_model')
      // What is not named is the upstream's choice.
      expect(await send(event({ language: 'en' }))).toBe('model_required')
      expect(await send(event({ Model: 'dear-transcriber', model: ALLOWED }))).toBe('token_model')
    }
    expect(await send(ofConversation({ model: [ALLOWED] }))).toBe('token_model')
    expect(heard).toEqual([])
    for (const event of EVENTS) expect(await send(event({ model: ALLOWED }))).toBe('session.updated')
    expect(await send(ofConversation(null))).toBe('session.updated')
    const tool = { type: 'function', name: 'x', parameters: { properties: { transcription: { type: 'object' } } } }
    expect(await send({ type: 'session.update', session: { tools: [tool] } })).toBe('session.updated')
    expect(heard).toHaveLength(EVENTS.length + 2)
  })

  test('is distinguished from one without a list', async () => {
    const { send } = await dial('')
    for (const event of EVENTS) expect(await send(event({ model: 'dear-transcriber' }))).toBe('session.updated')
  })
})
