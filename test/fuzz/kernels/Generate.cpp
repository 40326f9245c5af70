//===- Generate.cpp - random programs: types, tables, functions and the kernel ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Generate.h"

#include "Generator.h"

#include <algorithm>

namespace khal::fuzz {

using Kind = Node::Kind;

Node Generator::structure(unsigned index) {
  Structure result{"S" + std::to_string(index), {}, 0, 4};
  std::string text = "struct " + result.name + " {\n";
  const auto pad = [&](unsigned alignment) {
    const unsigned missing = (alignment - result.bytes % alignment) % alignment;
    if (missing == 0)
      return;
    const std::string name = fresh("pad");
    text += "u8 " + name + "[" + std::to_string(missing) + "];\n";
    result.members.push_back({name, Type::U8, missing, 0, std::nullopt});
    result.bytes += missing;
  };
  for (unsigned i = 0, count = 2 + random.below(4); i < count; ++i) {
    Member member{fresh("m"), numberType(), 0, 0, std::nullopt};
    unsigned bytes = info(member.type).bytes, alignment = bytes;
    std::string type = info(member.type).name;
    if (index > 0 && random.chance(20)) {
      member.structure = random.below(index);
      const Structure &inner = structures[*member.structure];
      type = inner.name, bytes = inner.bytes, alignment = inner.alignment;
    } else if (random.chance(20)) {
      member.lanes = 2 + random.below(3);
      type = "vec<" + type + ", " + std::to_string(member.lanes) + ">";
      bytes *= member.lanes;
      alignment = member.lanes == 3 ? alignment : std::min(bytes, 16u);
    }
    if (random.chance(35))
      member.count = powerOfTwo(2, member.structure || member.lanes ? 4 : 16);
    bytes *= std::max(member.count, 1u);
    if (result.bytes + bytes > 160)
      continue;
    pad(alignment);
    text += type + " " + member.name +
            (member.count ? "[" + std::to_string(member.count) + "]" : "") + ";\n";
    result.members.push_back(member);
    result.bytes += bytes;
    result.alignment = std::max(result.alignment, alignment);
  }
  // At least a word, so that a struct can be a kernel's argument.
  if (result.members.empty()) {
    result.members.push_back({"only", Type::U32, 0, 0, std::nullopt});
    text += "u32 only;\n";
    result.bytes = 4;
  }
  pad(result.alignment);
  text += "};\nstatic_assert(sizeof(" + result.name + ") == " + std::to_string(result.bytes) + ");";
  structures.push_back(std::move(result));
  return fixed(text);
}

Node Generator::table() {
  const Type type = numberType();
  const std::string name = fresh("table");
  const unsigned count = powerOfTwo(4, 32);
  std::string text = "inline constexpr " + std::string(info(type).name) + " " + name + "[" +
                     std::to_string(count) + "] = {";
  std::vector<Node> values;
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + literal(type).text;
  scope.arrays.push_back({name, type, count, false, false});
  return make(Kind::Statement, text + "};");
}

Node Generator::structTable() {
  const unsigned index = random.below(unsigned(structures.size()));
  const std::string name = fresh("table");
  const auto initialiser = [&](const auto &self, unsigned structure) -> std::string {
    std::string text = "{";
    for (const Member &member : structures[structure].members) {
      std::string one;
      const auto scalar = [&] { return literal(member.type).text; };
      std::string elements;
      for (unsigned i = 0; i < std::max(member.count, 1u); ++i) {
        if (member.structure) {
          one = self(self, *member.structure);
        } else if (member.lanes > 0) {
          one = "{";
          for (unsigned l = 0; l < member.lanes; ++l)
            one += (l ? ", " : "") + scalar();
          one += "}";
        } else {
          one = scalar();
        }
        elements += (i ? ", " : "") + one;
      }
      text += (text.size() > 1 ? ", " : "") + (member.count ? "{" + elements + "}" : elements);
    }
    return text + "}";
  };
  std::string text = "inline constexpr " + structures[index].name + " " + name + "[4] = {";
  for (unsigned i = 0; i < 4; ++i) {
    text += (i ? ", " : "") + initialiser(initialiser, index);
    addObject({name + "[" + std::to_string(i) + "]", index, false});
  }
  return make(Kind::Statement, text + "};");
}

Node Generator::helper() {
  const Scope outer = scope;
  function = Function{};
  function.result = numberType();
  Callable callable{fresh("helper"), function.result, {}, std::nullopt, false, true, 0};
  std::string parameters;
  const auto comma = [&] { return parameters.empty() ? "" : ", "; };
  for (unsigned i = 0, count = random.below(4); i < count; ++i) {
    const Type type = numberType();
    const std::string name = fresh("v");
    parameters += std::string(comma()) + info(type).name + " " + name;
    callable.parameters.push_back(type);
    scope.variables.push_back({name, type, true});
  }
  if (random.chance(60)) {
    const Type type = numberType();
    const std::string name = fresh("p");
    callable.pointer = type;
    callable.writesPointer = random.chance(40);
    callable.pure = !callable.writesPointer;
    parameters += std::string(comma()) + (callable.writesPointer ? "" : "const ") +
                  info(type).name + " *" + name;
    scope.arrays.push_back({name, type, reach, callable.writesPointer, true});
  }
  Node body = block(1 + random.below(3), 2);
  Node result = expression(function.result, 3);
  scope = outer;
  callable.iterations = function.iterations + 1;
  if (callable.iterations < mostIterations / 10)
    scope.callables.push_back(callable);
  return make(Kind::Statement,
              "inline " + std::string(info(callable.result).name) + " " + callable.name + "(" +
                  parameters + ") {\n$0\nreturn $1;\n}",
              {std::move(body), std::move(result)});
}

Node Generator::checksum(const Scope &seen) {
  Node result;
  result.kind = Kind::Block;
  const auto add = [&](std::string text, std::vector<Node> children = {}) {
    result.children.push_back(make(Kind::Statement, std::move(text), std::move(children)));
  };
  for (const Variable &variable : seen.variables)
    add("hash = mix(hash, " + variable.name + ");");
  for (const Array &array : seen.arrays)
    if (array.writable && affords(array.count))
      add("hash = mix_all(hash, " + array.name + ", " + std::to_string(array.count) + ");");
  for (const Object &object : seen.objects)
    if (object.writable)
      for (unsigned i = 0; i < 2; ++i)
        add("hash = mix(hash, $0);", {memberOf(object, 1)});
  return result;
}

/// What the parameters of `run` give.
void Generator::addParameters(Node &body) {
  scope.variables.push_back({"x", Type::U32, false});
  scope.arrays.push_back({"in", Type::U32, sizes::inputs, false, false});
  body.children.push_back(fixed("const u32 *in = input.data();"));
  const std::string limit = std::to_string(sizes::records - 1);
  for (unsigned i = 0; i < 2; ++i) {
    const std::string name = fresh("r");
    body.children.push_back(make(Kind::Statement,
                                 "const S0 &" + name + " = records[$0 & " + limit + "];",
                                 {expression(Type::U32, 1)}));
    addObject({name, 0, false});
  }
  for (unsigned i = 0; i < sizes::workPerItem; ++i)
    addObject({"(mine[" + std::to_string(i) + "])", 1, true});
  addObject({"args", 2, false});
}

void Generator::addObject(const Object &object) {
  scope.objects.push_back(object);
  for (const Member &member : structures[object.structure].members)
    if (member.count > 0 && !member.structure && member.lanes == 0)
      scope.arrays.push_back(
          {object.name + "." + member.name, member.type, member.count, object.writable, false});
}

Node Generator::itemBody() {
  function = Function{};
  Node body;
  body.kind = Kind::Block;
  addParameters(body);
  for (unsigned i = 0, count = 4 + random.below(7); i < count; ++i)
    body.children.push_back(statement(3));
  body.children.push_back(fixed("u32 hash = x;"));
  body.children.push_back(checksum(scope));
  body.children.push_back(fixed("return hash;"));
  return body;
}

Program Generator::program() {
  const Form form = random.chance(25) ? Form::Group : Form::Item;
  inStep = form == Form::Group;
  Node items;
  items.kind = Kind::Block;
  for (unsigned i = 0; i < 3; ++i)
    items.children.push_back(structure(i));
  for (unsigned i = 0, count = random.below(3); i < count; ++i)
    items.children.push_back(table());
  if (random.chance(40))
    items.children.push_back(structTable());
  for (unsigned i = 0, count = random.below(4); i < count; ++i)
    items.children.push_back(helper());
  Node body = form == Form::Group ? groupBody() : itemBody();

  static constexpr const char *groups[] = {"64", "8, 8", "4, 4, 4", "64"};
  const std::string group = form == Form::Group ? groups[random.below(4)] : "KHAL_FUZZ_GROUP";
  const std::string local = form == Form::Group ? ", u32 local" : "";
  std::string text = "namespace program_@ {\n$0\ninline u32 run(u32 x" + local +
                     ", span<const u32> input, span<const S0> records, S1 *mine, const S2 &args) "
                     "{\n$1\n}\n} // namespace program_@\n";
  if (form == Form::Item)
    text += "#if defined(__KHAL__)\n";
  text += "extern \"C\" [[khal::kernel(" + group +
          ")]] void kernel_@(span<const u32> in, span<const program_@::S0> records, "
          "span<program_@::S1> work, span<u32> out, program_@::S2 args) {\n"
          "const u32 x = global_index();\nout[x] = program_@::run(x" +
          (form == Form::Group ? ", local_index()" : "") + ", in, records, work.data() + " +
          std::to_string(sizes::workPerItem) + " * x, args);\n}\n";
  if (form == Form::Item)
    text +=
        "#else\nextern \"C\" const u32 sizes_@[] = {sizeof(program_@::S0), sizeof(program_@::S1), "
        "sizeof(program_@::S2)};\n"
        "extern \"C\" void kernel_@(u32 x, const u32 *in, const program_@::S0 *records, "
        "program_@::S1 *work, u32 *out, const program_@::S2 *args) {\nout[x] = "
        "program_@::run(x, {in, " +
        std::to_string(sizes::inputs) + "}, {records, " + std::to_string(sizes::records) +
        "}, work + " + std::to_string(sizes::workPerItem) + " * x, *args);\n}\n#endif\n";
  Program result;
  result.seed = seed;
  result.form = form;
  result.entersLoops = entersLoops;
  result.root = make(Kind::Fixed, text, {std::move(items), std::move(body)});
  return result;
}

Program generate(std::uint64_t seed) {
  return Generator(seed).program();
}

} // namespace khal::fuzz
