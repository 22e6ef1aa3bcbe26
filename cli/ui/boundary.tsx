import { Text } from 'ink'
import { Component, type ReactNode } from 'react'
import { printable } from '../printable.ts'
import { useDesk } from './desk.ts'
import { Frame } from './frame.tsx'

interface Props {
  title: string
  children: ReactNode
}

/** Keeps what a screen throws on that screen: the others, and the keys, go on. */
export class Boundary extends Component<Props, { error: unknown }> {
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
  const { say, reason, text } = useDesk()
  return (
    <Frame title={title} bindings={[]}>
      <Text> </Text>
      <Text bold>{` ${text('This screen has failed. The others still work.')}`}</Text>
      <Text>{` ${printable(say`Reason: ${reason(error)}`)}`}</Text>
    </Frame>
  )
}
