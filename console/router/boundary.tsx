import { Component, type ReactNode } from 'react'
import type { Location } from './location.ts'

interface Props {
  /** A navigation renders the children again. */
  location: Location
  failure: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  location: Location
  failed: { error: unknown } | undefined
}

/** Replaces children that throw while rendering. */
export class Boundary extends Component<Props, State> {
  override state: State = { location: this.props.location, failed: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { location, failed: undefined }
  }

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.failure(failed.error) : this.props.children
  }
}
