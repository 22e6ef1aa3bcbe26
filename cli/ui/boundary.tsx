import { Text } from 'ink'
import { Component, type ReactNode } from 'react'
import { sanitizeName } from '../output/sanitize.ts'
import { Frame } from './frame.tsx'
import { useUi } from './ui-context.ts'

interface Props {
  title: string
  children: ReactNode
}

/** Error boundary of one screen: other screens and keys continue to work. */
export class ScreenBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('unknown') }
  }

  override render() {
    const { title, children } = this.props
    return this.state.error === undefined ? children : <Broken title={title} error={this.state.error} />
  }
}

function Broken({ title, error }: { title: string; error: unknown }) {
  const { t, reason } = useUi()
  return (
    <Frame title={title} bindings={[]}>
      <Text> </Text>
      <Text bold>{` ${t('ui.thisScreenFailed')}`}</Text>
      <Text>{` ${sanitizeName(t('ui.reason', { reason: reason(error) }))}`}</Text>
    </Frame>
  )
}
