//! Elements that are not understood: each type of UML, put into a model of ours, has a meaning there or is told.

use std::path::PathBuf;

use sequent_notation::xmi;

use crate::samples;

const DOOR: &str = include_str!("../../../../examples/gallery/door-papyrus.uml");

/// The types of UML 2.5.1 that have instances, and some that no version has.
const TYPES: &str = "Abstraction AcceptCallAction AcceptEventAction ActionExecutionSpecification \
    ActionInputPin Activity ActivityFinalNode ActivityParameterNode ActivityPartition Actor AddStructuralFeatureValueAction \
    AddVariableValueAction AnyReceiveEvent Artifact Association AssociationClass BehaviorExecutionSpecification \
    BroadcastSignalAction CallBehaviorAction CallEvent CallOperationAction CentralBufferNode ChangeEvent Class \
    ClassifierTemplateParameter Clause ClearAssociationAction Collaboration CollaborationUse CombinedFragment Comment \
    CommunicationPath Component ComponentRealization ConditionalNode ConnectableElementTemplateParameter \
    ConnectionPointReference Connector ConnectorEnd ConsiderIgnoreFragment Constraint Continuation ControlFlow \
    CreateLinkAction CreateObjectAction DataStoreNode DataType DecisionNode Dependency Deployment DeploymentSpecification \
    DestroyLinkAction DestroyObjectAction DestructionOccurrenceSpecification Device Duration DurationConstraint \
    DurationInterval DurationObservation ElementImport Enumeration EnumerationLiteral ExceptionHandler \
    ExecutionEnvironment ExecutionOccurrenceSpecification ExpansionNode ExpansionRegion Expression Extend Extension \
    ExtensionEnd ExtensionPoint FinalState FlowFinalNode ForkNode FunctionBehavior Gate GeneralOrdering Generalization \
    GeneralizationSet Image Include InformationFlow InformationItem InitialNode InputPin InstanceSpecification \
    InstanceValue Interaction InteractionConstraint InteractionOperand InteractionUse Interface InterfaceRealization \
    InterruptibleActivityRegion Interval IntervalConstraint JoinNode Lifeline LinkEndData LiteralBoolean LiteralInteger \
    LiteralNull LiteralReal LiteralString LiteralUnlimitedNatural LoopNode Manifestation MergeNode Message \
    MessageOccurrenceSpecification Model Node ObjectFlow OccurrenceSpecification OpaqueAction OpaqueBehavior \
    OpaqueExpression Operation OperationTemplateParameter OutputPin Package PackageImport PackageMerge Parameter \
    ParameterSet PartDecomposition Port PrimitiveType Profile ProfileApplication Property ProtocolConformance \
    ProtocolStateMachine ProtocolTransition Pseudostate QualifierValue RaiseExceptionAction ReadExtentAction \
    Realization Reception ReclassifyObjectAction RedefinableTemplateSignature ReduceAction Region ReplyAction \
    SendObjectAction SendSignalAction SequenceNode Signal SignalEvent Slot StartClassifierBehaviorAction State \
    StateInvariant StateMachine Stereotype StringExpression StructuredActivityNode Substitution TemplateBinding \
    TemplateParameter TemplateSignature TestIdentityAction TimeConstraint TimeEvent TimeExpression TimeInterval \
    TimeObservation Transition Trigger UnmarshallAction Usage UseCase ValuePin ValueSpecificationAction Variable Wormhole";

/// Types that only name or import something, or that say something once they hold something.
const SILENT: &[&str] = &[
    "AnyReceiveEvent",
    "Artifact",
    "Association",
    "CallEvent",
    "ChangeEvent",
    "Collaboration",
    "Comment",
    "ElementImport",
    "InstanceSpecification",
    "Interaction",
    "InterfaceRealization",
    "Model",
    "Package",
    "PackageImport",
    "PrimitiveType",
    "ProfileApplication",
    "SignalEvent",
    "TimeEvent",
];

/// What is told and what the model is, without places.
fn seen(text: &str) -> (usize, String) {
    let sample = samples::read_bytes(&PathBuf::from("door.uml"), text.as_bytes());
    (sample.diagnostics.len() + sample.refused.len(), xmi::print::model(&sample.model, "model"))
}

fn silent(place: &str, role: &str) -> Vec<&'static str> {
    let before = seen(DOOR);
    let is_silent = |kind: &&str| {
        let new = format!("<{role} xmi:type=\"uml:{kind}\" xmi:id=\"_new\" name=\"New\"/>");
        seen(&DOOR.replacen(place, &format!("{new}{place}"), 1)) == before
    };
    TYPES.split_whitespace().filter(is_silent).collect()
}

#[test]
fn every_type_has_a_meaning_or_a_finding() {
    let found: Vec<&str> =
        silent("</uml:Model>", "packagedElement").into_iter().filter(|kind| !SILENT.contains(kind)).collect();
    assert_eq!(found, Vec::<&str>::new(), "in a package");
    let found: Vec<&str> = silent("<message xmi:type=\"uml:Message\" xmi:id=\"_m1\"", "fragment");
    assert_eq!(found, Vec::<&str>::new(), "in an interaction");
    let found = silent("<subvertex xmi:type=\"uml:State\" xmi:id=\"_opened\"", "subvertex");
    assert_eq!(found, Vec::<&str>::new(), "in a region");
}

#[test]
fn properties_that_uml_does_not_know_are_told() {
    let before = seen(DOOR);
    for place in ["</uml:Model>", "<message ", "<subvertex ", "<trigger ", "</operand>"] {
        let odd = "<wormhole to=\"_nowhere\"/>";
        let after = seen(&DOOR.replacen(place, &format!("{odd}{place}"), 1));
        assert_eq!((after.0, after.1), (before.0 + 1, before.1.clone()), "{place}");
    }
}

#[test]
fn properties_of_classes_that_uml_does_not_know_are_told() {
    let model = |class: &str| {
        format!(
            "<uml:Model xmlns:xmi='http://www.omg.org/spec/XMI/20131001' xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='m' name='M'>{class}</uml:Model>"
        )
    };
    let class = "<packagedElement xmi:type='uml:Class' xmi:id='c' name='C' isActive='true'>\
        <ownedAttribute xmi:id='a' name='a' isReadOnly='true'/><ownedOperation xmi:id='o' name='o' isQuery='true'>\
        <ownedParameter xmi:id='p' name='p' direction='in'/></ownedOperation></packagedElement>";
    let before = seen(&model(class));
    for word in ["isActive", "isReadOnly", "isQuery"] {
        let after = seen(&model(&class.replacen(word, "isOdd", 1)));
        assert_eq!(after, (before.0 + 1, before.1.clone()), "{word}");
    }
    for place in ["</packagedElement>", "</ownedOperation>"] {
        let after = seen(&model(&class.replacen(place, &format!("<wormhole to='a'/>{place}"), 1)));
        assert_eq!(after, (before.0 + 1, before.1.clone()), "{place}");
    }
}

/// A misspelt word is told wherever it stands in the file.
#[test]
fn attributes_that_uml_does_not_know_are_told_everywhere() {
    let packed = DOOR.replacen(" name=\"", " nmae=\"", 1);
    assert_eq!(seen(&packed).0, seen(DOOR).0 + 1, "of the model");
    let before = seen(DOOR);
    for (at, _) in DOOR.match_indices("xmi:type=\"uml:") {
        let (head, tail) = DOOR.split_at(at);
        let after = seen(&format!("{head}wormhole=\"5\" {tail}"));
        assert_eq!(after, (before.0 + 1, before.1.clone()), "{}", tail.lines().next().unwrap_or_default());
    }
}

/// What stands twice where it can stand once is told.
#[test]
fn what_is_there_twice_is_told() {
    let before = seen(DOOR).0;
    for (place, twice) in [
        ("_t1", DOOR.replacen("event=\"_onOpen\"", "event=\"_onOpen _onLock\"", 1)),
        ("_locked", DOOR.replacen("xmi:id=\"_unlocked\"", "xmi:id=\"_locked\"", 1)),
        (
            "signal",
            DOOR.replacen(
                "signal=\"_open\"/>\n  <packagedElement",
                "signal=\"_open _lock\"/>\n  <packagedElement",
                1,
            ),
        ),
    ] {
        assert_ne!(twice, DOOR, "{place}");
        assert!(seen(&twice).0 > before, "{place}");
    }
}
