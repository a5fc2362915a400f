"""TorchRL: `TorchRLEnv` is a batched environment of its own kind over the native vector environment."""

from typing import Any

from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import fresh_seed, seeds_from
from boardgym.envs.opponents import refuse_all_seats
from boardgym.envs.vector import VectorEnv
from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ModuleNotFoundError as error:
    raise missing_extra(error, "TorchRL", "boardgym[torchrl]") from error

__all__ = ["TorchRLEnv"]


class TorchRLEnv(EnvBase):  # type: ignore[misc]
    """n games of one learner against an opponent, in TorchRL's manner: batch size (n,), one tensordict a step.

    Keys, at the root and under "next": "observation" (n, *shape), of the game's own integer type, as the learner sees the
    board; "action_mask" bool (n, num_actions), the legal actions of that observation, all ones where the game is over;
    "reward" float32 (n, 1) (under "next" alone); "done", "terminated", "truncated" bool (n, 1). "action" is int64 (n,).

    The mask of `action_spec` follows the boards, so that `rand_step`, `rollout` without a policy, and random collection
    play legal actions. A game that is over begins anew by `reset` with "_reset" set, as collectors and `rollout` do it.

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        seed: board 0 gets it, board i gets seed + i; None takes one from the operating system. `set_seed` has the same
            effect at the next reset of all boards.
        device: where the tensors go; the games are played on the CPU.
        settings: as for `boardgym.envs.vector.VectorEnv`: opponent, seat, setup, illegal, mirror, max_episode_steps (the
            learner's steps before truncation), and the game's options.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: for what they name.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 64,
        *,
        seed: int | None = None,
        device: torch.device | str = "cpu",
        **settings: Any,
    ) -> None:
        if "autoreset_mode" in settings:
            raise OptionError("autoreset_mode: TorchRL resets the boards that are done by itself; expected no such setting")
        refuse_all_seats(settings.get("seat"), type(self).__name__)
        self._vector = VectorEnv(game, num_envs, **settings)
        n = self._vector.num_envs
        super().__init__(device=torch.device(device), batch_size=torch.Size([n]))
        described, dtype = self.game, torch.from_numpy(self._vector.batch.observations).dtype
        self.observation_spec = Composite(
            observation=Bounded(
                0, described.observation_max, (n, *described.observation_shape), dtype=dtype, device=self.device
            ),
            action_mask=Categorical(2, (n, described.num_actions), dtype=torch.bool, device=self.device),
            shape=(n,),
            device=self.device,
        )
        self.action_spec = Categorical(described.num_actions, (n,), device=self.device)
        self.reward_spec = Unbounded((n, 1), dtype=torch.float32, device=self.device)
        flag = Categorical(2, (n, 1), dtype=torch.bool, device=self.device)
        self.full_done_spec = Composite(
            done=flag.clone(), terminated=flag.clone(), truncated=flag.clone(), shape=(n,), device=self.device
        )
        self._set_seed(fresh_seed() % 2**32 if seed is None else seed)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._vector.game

    def _set_seed(self, seed: int | None) -> None:
        """For the next reset of all boards; games that go on are not touched. Raises OptionError as `seeds_from`."""
        self._next_seed = None if seed is None else seeds_from(seed, self._vector.num_envs)[0]

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDict:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None or bool(chosen.all()):
            observations, infos = self._vector.reset(seed=self._next_seed)
            self._next_seed = None
        else:
            where = chosen.reshape(self.batch_size[0], -1).any(-1).cpu().numpy()
            observations, infos = self._vector.reset(options={"reset_mask": where})
        return self._seen(observations, infos)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        actions = tensordict.get("action").cpu().numpy()
        observations, rewards, terminated, truncated, infos = self._vector.step(actions)
        following = self._seen(observations, infos)
        flags = {"done": terminated | truncated, "terminated": terminated, "truncated": truncated}
        for key, flag in flags.items():
            following.set(key, torch.from_numpy(flag).unsqueeze(-1))
        return following.set("reward", torch.from_numpy(rewards).float().unsqueeze(-1))

    def _seen(self, observations: Any, infos: dict[str, Any]) -> TensorDict:
        """The entries of an observation; the action spec takes over its mask."""
        mask = torch.from_numpy(infos["action_mask"]).bool().to(self.device)
        self.full_action_spec["action"].update_mask(mask)
        seen = {"observation": torch.from_numpy(observations), "action_mask": mask}
        return TensorDict(seen, batch_size=self.batch_size, device=self.device)
