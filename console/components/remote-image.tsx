import Button from '@arco-design/web-react/es/Button'
import { IconImage } from '@arco-design/web-react/icon'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, openStream } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { readReply } from '../api/reply.ts'

interface Props {
  src: string
  alt: string
  className?: string
}

const TIMEOUT_MS = 60_000

type State = { kind: 'idle' | 'loading' } | { kind: 'shown'; address: string } | { kind: 'failed'; reason: string }

/**
 * An image of another site, from a text that the operator did not write. The image loads only after a click, and
 * through the gateway. The site then does not learn the user's address, or who opens the text and when.
 */
export function RemoteImage({ src, alt, className }: Props) {
  const { t } = useTranslation()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const ending = useRef(new AbortController())
  const address = state.kind === 'shown' ? state.address : undefined

  useEffect(() => {
    const controller = new AbortController()
    ending.current = controller
    return () => controller.abort()
  }, [])
  useEffect(() => (address === undefined ? undefined : () => URL.revokeObjectURL(address)), [address])

  async function load() {
    const { signal } = ending.current
    setState({ kind: 'loading' })
    try {
      const picture = await fetchPicture(src, signal)
      if (!signal.aborted) setState({ kind: 'shown', address: URL.createObjectURL(picture) })
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', reason: failureText(t, error) })
    }
  }

  if (address !== undefined) return <img className={className} src={address} alt={alt} />
  const host = URL.canParse(src) ? new URL(src).host : src
  return (
    <span className={className}>
      {alt !== '' && <span>{alt} </span>}
      <Button
        size="mini"
        icon={<IconImage />}
        loading={state.kind === 'loading'}
        title={src}
        onClick={() => void load()}
      >
        {t('component.loadImage', { host })}
      </Button>
      {state.kind === 'failed' && <span role="alert"> {t('component.imageFailed', { reason: state.reason })}</span>}
    </span>
  )
}

/** Downloads an image of another site through the gateway. Throws an ApiError, also if the reply is not an image. */
async function fetchPicture(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await openStream('POST /api/picture', { body: { url }, signal, timeoutMs: TIMEOUT_MS })
  if (response.headers.get('content-type')?.startsWith('image/')) return response.blob()
  throw new ApiError('refused', readReply(await response.text())?.message)
}
